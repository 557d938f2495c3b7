#!/usr/bin/env bash
# reports.sh: a report.md that is handed in, in a folder or an archive, becomes DIR/NAME/report.md; reports.html lays
# the answers of a class out for a human. grader/report/answers.c, grader/grade/submission.c. TAP.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=grader/tests/tap.sh
source grader/tests/tap.sh
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
unset IMPL BACKEND

# hand_in NAME SED: a file without code, and the template with an edit
hand_in() {
    mkdir -p "$top/in/$1/task1_reference"
    echo 'int x;' >"$top/in/$1/task1_reference/reference.c"
    sed "$2" report_template/report.md >"$top/in/$1/report.md"
}
hand_in ada '0,/^Your answer:$/s//Your answer: it rises <script>alert(1)<\/script> with S.\n\nA second paragraph./'
hand_in bob ''
hand_in cem '0,/^Your answer:$/s//ok/'
hand_in dot '/^Your answer:$/d; s/^\*Derive first.*/&/'
sed -i '/1024\.$/a\\nan answer without its prompt' "$top/in/dot/report.md"
for name in ada cem; do
    line=$(printf '<!-- \033[31m\302\23331m \342\200\256 caf\303\251 \342\234\205\t -->')
    sed -i "1i$line" "$top/in/$name/report.md"
done
(cd "$top/in" && zip -qr ada.zip ada 2>/dev/null || tar -czf ada.tar.gz ada) && rm -r "$top/in/ada"
mkdir -p "$top/in/eve/task1_reference" && ln -s /etc/passwd "$top/in/eve/report.md"
echo 'int x;' >"$top/in/eve/task1_reference/reference.c"

run grader/grade_all --out "$top/out" --tasks 1 --no-bench --backend simt "$top"/in/*
page=$(cat "$top/out/reports.html" 2>/dev/null || true)
on_page() { [[ $page == *"$1"* ]] || complain "the page lacks: $1"; }
says 'reports.html'
on_page '>ada</a></td><td>1 of 15<'
on_page '>bob</a></td><td>0 of 15<'
on_page '>cem</a></td><td>0 of 15<'
on_page '>dot</a></td><td>1 of 15<'
claim reports_are_taken_and_written_answers_counted
on_page 'it rises &#60;script&#62;alert'
on_page 'A second paragraph.'
on_page 'an answer without its prompt'
[[ $page != *'<script'* ]] || complain 'a script'
claim answers_stand_on_the_page_and_are_not_obeyed
[[ ! -e $top/out/eve/report.md && $page != *root:* ]] || complain 'a link was followed'
claim a_link_is_no_report
for name in ada cem; do
    first=$(head -n 1 "$top/out/$name/report.md")
    [[ $first == $'<!-- ?[31m??31m ??? caf\303\251 \342\234\205\t -->' ]] || complain "$name has controls: ${first@Q}"
done
claim a_report_is_text_for_a_terminal_too

rm "$top/in/bob/report.md"
run env $'BASH_FUNC_type%%=() {  return 1\n}' grader/grade_all --regrade bob --out "$top/out" # it finds no sim_c
says 'submissions were not compared: no sim_c (grader/setup similarity)'
claim who_is_not_compared_hears_what_is_missing
page=$(cat "$top/out/reports.html")
[[ ! -e $top/out/bob/report.md && $page != *'>bob</a>'* ]] || complain 'a report that was taken back is still there'
claim what_is_not_handed_in_again_goes
plan
