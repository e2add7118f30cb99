# Completion of sotto in bash, also version 3.2.
_sotto() {
    local -a words
    local i n=0 joined='' word help cur
    # Readline cuts --flag=value into three words.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == '=' && $n -gt 0 ]]; then
            words[n - 1]+='='
            joined=1
        elif [[ $joined ]]; then
            words[n - 1]+=$word
            joined=''
        else
            words[n]=$word
            n=$((n + 1))
        fi
    done
    cur=${words[n - 1]}
    COMPREPLY=()
    while IFS=$'\t' read -r word help; do
        if [[ $word == ':files' ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do
                COMPREPLY+=("$word")
            done < <(compgen -f -- "${cur##*=}")
        elif [[ $cur == --*=* ]]; then
            COMPREPLY+=("${word#*=}")
        else
            COMPREPLY+=("$word")
        fi
    done < <("$1" complete -- "${words[@]}" 2>/dev/null)
}
complete -F _sotto sotto
