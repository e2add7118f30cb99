#compdef sotto
# Completion of sotto in zsh.
_sotto() {
    local -a list
    local line value files=''
    for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == ':files' ]]; then
            files=1
        elif [[ -n $line ]]; then
            value=${line%%$'\t'*}
            list+=("${value//:/\\:}:${line#*$'\t'}")
        fi
    done
    (( $#list )) && _describe -t values sotto list
    if [[ -n $files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files
    fi
}
if [[ ${funcstack[1]} == _sotto ]]; then
    _sotto
else
    compdef _sotto sotto
fi
