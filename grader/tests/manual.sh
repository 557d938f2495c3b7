#!/usr/bin/env bash
# manual.sh: points, comments and days late that people add to a class. grader/grade/manual.c. --rescore merges them and
# runs nothing. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT

students=(ada bob '-eve' 'Jörg Groß')
for name in "${students[@]}"; do
    mkdir -p "$top/out/$name" "$top/in/$name"
    python3 - "$top/out/$name/results.json" "$name" <<'END'
import json, sys
r = json.load(open("grader/solutions/results_h200/results.json"))
r["submission"] = sys.argv[2]
for t in r["tasks"]: t.update(timings=[], counts=[], cases=t["cases"][:2])
json.dump(r, open(sys.argv[1], "w"))
END
done
# merge: with the rubric's "late" as $1, if it is given. The lab's programs run in a copy of its root.
mkdir -p "$top/root/grader" && ln -s "$PWD/build" "$top/root/build"
merge() {
    python3 - "$top/root/grader/rubric.json" "${1:-}" <<'END'
import json, sys
r = json.load(open("grader/rubric.json"))
r["manual"] = [{"name": "report", "points": 5}, {"name": "style"}]
if sys.argv[2]: r["late"] = json.loads(sys.argv[2])
json.dump(r, open(sys.argv[1], "w"))
END
    run env LAB_ROOT="$top/root" build/bin/grade_all --rescore --out "$top/out" -- "${students[@]/#/$top/in/}"
}
# cell STUDENT COLUMN: of the gradebook
cell() {
    python3 -c 'import csv, sys
rows = csv.DictReader(open(sys.argv[1], newline=""))
print(next(r for r in rows if r["folder"].lstrip(chr(39)) == sys.argv[2])[sys.argv[3]])' \
        "$top/out/gradebook.csv" "$1" "$2" 2>&1
}
is() { [[ $(cell "$1" "$2") == "$3" ]] || complain "$1: $2 is $(cell "$1" "$2"), not $3"; }
file() { printf '%s\n' "${@:2}" >"$top/out/$1"; }

merge
exits 0
score=$(cell ada score)
is ada manual '' && is ada total "$(python3 -c "print('%.10g' % ($score + $(cell ada bonus)))")"
[[ ! -e $top/out/manual.csv ]] || complain 'a template was written, although nothing was run'
claim without_files_nothing_is_added
columns=$(python3 -c 'import sys
text = sys.stdin.buffer.read().decode()
print(*sorted({line.index(" of ") for line in text.splitlines() if " points, " in line}))' <<<"$out")
[[ $columns =~ ^[0-9]+$ ]] || complain "$columns: $out"
claim a_letter_of_several_bytes_is_one_column_wide

file manual.csv 'student,item,points,comment' 'ada,report,4.5,"well said, ""really"" | <b>"' 'ada,style,,"two
lines"' "'-eve,task4,-1,late bonus" 'bob,report,,'
merge
exits 0
total() { python3 -c "print('%.10g' % ($score + $(cell ada bonus) + $1))"; }
is ada manual 4.5 && is ada total "$(total 4.5)" &&
    is ada comments 'report: well said, "really" | <b>; style: two lines'
is -eve manual -1 && is -eve total "$(total -1)" && is bob manual '' && is bob total "$(total 0)"
grep -q 'well said, "really" &#124; &lt;b&gt;' "$top/out/ada/Results.md" "$top/out/ada/details.md" ||
    complain 'the page lacks the comment'
grep -q "; with what was added by hand: \*\*$(total 4.5)\*\*\$" "$top/out/ada/Results.md" ||
    complain "the page's first line lacks the total: $(sed -n 3p "$top/out/ada/Results.md")"
says "add to 2 of ${#students[@]} submissions: gradebook.csv has the totals"
before=$(stat -c %Y%i "$top/out/manual.csv")
claim points_and_comments_are_in_results_pages_and_gradebook

file late.csv 'student,days' 'ada,3' 'bob,1'
merge '{"unit": "percent", "per_day": 10, "free_days": 1, "most": 50}'
exits 0
is ada late_days 3 && is ada penalty "$(python3 -c "print('%.10g' % round(0.2 * $(total 4.5), 2))")" && is bob penalty 0
merge '{"unit": "points", "per_day": 100}'
is ada total 0
merge
exits 0 && says 'says nothing of late days' && is ada penalty 0 && is ada late_days 3
claim a_day_late_costs_what_the_rubric_says

file late.csv 'student,days' 'ada,-1' 'zoe,1' 'bob,1.5' 'bob,soon' 'bob,2' 'bob,2'
file manual.csv 'student,item,points,comment' 'ada,report,6,' 'ada,essay,1,' 'zoe,report,1,' 'ada,style,x,' \
    'bob,style,1,' 'bob,style,2,' 'bob,style'
merge
exits 1
for line in 'late.csv:2: needs a number from 0' "late.csv:3: no submission is called zoe" \
    'late.csv:4: needs whole days' \
    'late.csv:5: needs a number' 'late.csv:7: stands there twice' 'manual.csv:2: needs a number from 0 to 5, not 6' \
    'manual.csv:3: rubric.json has no such item, and it is no task: essay' 'manual.csv:4: no submission is called zoe' \
    'manual.csv:5: needs a number' 'manual.csv:7: stands there twice' 'manual.csv:8: has not as many cells'; do
    says "$line"
done
is bob manual 1 && is bob late_days 2 && is ada manual ''
claim each_wrong_line_is_named_and_the_others_count

printf '\xef\xbb\xbfstudent;item;points;comment\r\nada;style;1,5;"a;b"\r\n' >"$top/out/manual.csv"
rm "$top/out/late.csv"
merge
exits 0 && is ada manual 1.5 && is ada comments 'style: a;b'
file manual.csv 'name,points' 'ada,1'
merge
exits 1 && says 'manual.csv:1: the first line must be student,item,points,comment' && is ada manual ''
file manual.csv 'student,item,points,comment' 'ada,style,1,"open'
merge
exits 1 && says 'manual.csv:2: a quote is not closed'
claim files_are_read_as_spreadsheets_write_them

rm "$top/out/manual.csv"
refuses() { # LATE.CSV SENTENCE: nothing of it counts
    printf "$1" >"$top/out/late.csv"
    merge
    exits 1 && says "$2" && is ada late_days '' && is bob late_days ''
}
refuses 'student,days\r\nada,1\0\r\nbob,2\r\n' 'late.csv:1: holds a zero byte'
refuses '\xff\xfes\0t\0u\0d\0e\0n\0t\0' 'late.csv:1: holds a zero byte'
refuses 'student,days\rada,1\r' 'late.csv:1: the first line must be student,days'
for number in 0x2 1e1 inf nan 1,5 '2 3' '1\t' '1%%' "$(printf '1%063d')" "$(printf '1%63s9')"; do
    refuses "student,days\nada,\"$number\"\n" 'late.csv:2: needs a number from 0'
done
refuses 'student,days\nAda,1\nBÖB,1\n' 'late.csv:2: only case, accents or how they are stored are other in: ada'
refuses 'student,days\n/../ada,1\n../out/bob,1\nad\x1b[1ma,1\n' 'late.csv:4: no submission is called ad?[1ma'
printf 'student,days\n"Jo\u0308rg Groß",1\n"%s",1\n' "$(printf '%0100000d' 1)" >"$top/out/late.csv"
merge
exits 1 && says 'late.csv:2: only case, accents or how they are stored are other in: Jörg Groß'
printf 'student,days\n"ada",1\n"\x27-eve",2\n\x27ada,1\n' >"$top/out/late.csv"
merge
exits 1 && says 'late.csv:4: stands there twice' && is -eve late_days 2 && is ada late_days 1
claim what_no_spreadsheet_writes_is_said_and_counts_nothing

plan
