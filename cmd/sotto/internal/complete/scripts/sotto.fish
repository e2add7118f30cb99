# Completion of sotto in fish.
function __sotto_complete
    set -l words (commandline -opc)
    set -l cur (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete -- $words "$cur" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$cur")
        else
            echo $line
        end
    end
end
complete -c sotto -f -a '(__sotto_complete)'
