#!/bin/sh
# Checks the index of rules, Documentation/Rules.md: each rule of SDWebImage that we know of, with the tests that pin it.
#
#   Scripts/check-rules.sh           fails where a rule has no line or two, no test and no reason, or the page is out of date
#   Scripts/check-rules.sh --write   writes the page again, and takes away each "not yet" that a test has made good
#   Scripts/check-rules.sh --list    prints what each test cites: rule, test, file
#
# A test cites rules in its display name, or in that of its suite: "(S073, X048)", "(S132 to S134)". What cannot be read
# there is in Documentation/rules.tsv: what each rule is about and, where no test of ours pins it, why.
set -eu
cd "$(dirname "$0")/.."
page=Documentation/Rules.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The first string of each @Test and @Suite, on its own line or on the one behind; a test before a suite of the same rule.
find Tests -name '*.swift' ! -path '*/.build/*' | LC_ALL=C sort | xargs awk '
    function cite(name, kind,    rest, letter, first, last, number) {
        rest = name
        while (match(rest, /[SX][0-9][0-9][0-9]( to [SX][0-9][0-9][0-9])?/)) {
            letter = substr(rest, RSTART, 1)
            first = substr(rest, RSTART + 1, 3) + 0
            last = RLENGTH > 4 ? substr(rest, RSTART + RLENGTH - 3, 3) + 0 : first
            rest = substr(rest, RSTART + RLENGTH)
            for (number = first; number <= last; number++) {
                rule = sprintf("%s%03d", letter, number)
                if (!((rule, name, FILENAME) in seen)) printf "%s\t%d\t%s\t%s\n", rule, kind, name, FILENAME
                seen[rule, name, FILENAME] = 1
            }
        }
    }
    FNR == 1 { open = 0 }
    /@(Test|Suite)\(/ { open = 1; kind = /@Suite/ ? 2 : 1 }
    open && match($0, /"([^"\\]|\\.)*"/) {
        cite(substr($0, RSTART + 1, RLENGTH - 2), kind)
        open = 0
        next
    }
    / func | struct | class / { open = 0 }
' | LC_ALL=C sort -t "$(printf '\t')" -k1,1 -k2,2n -k4,4 -s > "$work/citations"

if [ "${1:-}" = --list ]; then
    cut -f 1,3,4 "$work/citations"
    exit 0
fi

awk -F '\t' -v citations="$work/citations" -v data="$work/rules.tsv" '
    function fail(text) { print "check-rules: " text > "/dev/stderr"; failed = 1 }
    function expect(letter, last,    number, rule) {
        for (number = 1; number <= last; number++) {
            rule = sprintf("%s%03d", letter, number)
            if (!lines[rule]) fail(rule " has no line in Documentation/rules.tsv")
            known[rule] = 1
        }
    }
    BEGIN {
        while ((getline line < citations) > 0) {
            split(line, field, "\t")
            rule = field[1]
            count[rule]++
            if (count[rule] > 3) continue
            gsub(/\|/, "\\|", field[3])
            sub(/ \([^()]*[SX][0-9][0-9][0-9][^()]*\)$/, "", field[3])
            sub(/^[SX][0-9][0-9][0-9][^:]*: /, "", field[3])
            file = field[4]
            sub(/^.*\//, "", file)
            tests[rule] = tests[rule] (count[rule] > 1 ? "; " : "") "\"" field[3] "\" ([" file "](../" field[4] "))"
        }
        print "# The rules"
        print ""
        print "What SDWebImage does, 3.8 to 4.4 as S001 to S199 and 5.21 beyond that as X001 to X201, and the tests here that"
        print "pin it. Where we differ on purpose, the line says how, and what belongs to views or to Apple says so. Written"
        print "by `Scripts/check-rules.sh --write` from the names of the tests and from `rules.tsv`."
    }
    /^#/ || NF == 0 { print > data }
    /^#/ { printf "\n## %s\n\n| rule | about | here |\n|---|---|---|\n", substr($0, 3); next }
    NF == 0 { next }
    {
        rule = $1
        if (lines[rule]++) fail(rule " has two lines in Documentation/rules.tsv")
        reason = $3
        if (reason != "" && reason !~ /^(changed|elsewhere|history|not yet): ./) fail(rule ": what is \"" reason "\"?")
        if (!count[rule] && reason == "") fail(rule " is cited by no test, and Documentation/rules.tsv says nothing of it")
        if (count[rule] && reason ~ /^not yet/) reason = ""
        print rule "\t" $2 (reason == "" ? "" : "\t" reason) > data
        text = tests[rule]
        if (count[rule] > 3) text = text "; and " count[rule] - 3 " more"
        gsub(/\|/, "\\|", reason)
        if (text != "" && reason != "") text = ". " text
        printf "| %s | %s | %s%s |\n", rule, $2, reason, text
    }
    END {
        expect("S", 199)
        expect("X", 201)
        for (rule in count) if (!known[rule]) fail(rule " is cited by a test, but there is no such rule")
        exit failed
    }
' Documentation/rules.tsv > "$work/page" || exit 1

if [ "${1:-}" = --write ]; then
    cp "$work/page" "$page"
    cp "$work/rules.tsv" Documentation/rules.tsv
elif ! cmp -s "$work/page" "$page" || ! cmp -s "$work/rules.tsv" Documentation/rules.tsv; then
    echo "check-rules: $page is out of date: run Scripts/check-rules.sh --write" >&2
    exit 1
fi
awk -F '\t' '!/^#/ && NF { n++; split($3, reason, ":"); kinds[reason[1]]++ }
    END { printf "%d rules: %d as they are, %d changed, %d elsewhere, %d history, %d not yet\n",
        n, kinds[""], kinds["changed"], kinds["elsewhere"], kinds["history"], kinds["not yet"] }' Documentation/rules.tsv
