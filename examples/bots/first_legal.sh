#!/bin/sh
# A program that plays any game: it always chooses the first legal action. Requires only a shell and sed.
#
#     pr-env watch "program:command=sh examples/bots/first_legal.sh" random random
while IFS= read -r line; do
    case $line in
        '{"type":"start"'*) echo '{"type": "ready"}' ;;
        *) printf '%s\n' "$line" | sed -E 's/.*"id":([0-9]+).*"legal":\[([0-9]+).*/{"id": \1, "action": \2}/' ;;
    esac
done
