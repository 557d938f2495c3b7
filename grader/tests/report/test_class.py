"""test_class.py: claims about class.html: what is in it, what names cannot do to it, and (with Chromium) how it behaves."""
import html.parser
import os
import re
import shutil

import a_class
import variants
from tap import SCRATCH, ok, read, report, report_plainly, run, scratch, skip

N = 300
TASKS = 6
LADDERS = open("grader/rubric.json").read().count('"kind": "speed"')

# Runs behind the page's own script and writes what it saw into the title.
PROBE = """<script>{
const seen = [];
const say = (name, good) => seen.push(name + '=' + (good ? 1 : 0));
const first = () => document.querySelector('#students tbody tr:not([hidden])');
const visible = () => document.querySelectorAll('#students tbody tr:not([hidden])').length;
say('rows', visible() === %d);
say('no_error', !window.failed);
const score = document.querySelectorAll('#students th button')[1];
score.click();
const best = Number(first().cells[1].dataset.v);
say('sorted_down', best === Math.max(...[...document.querySelectorAll('#students tbody tr')].map((r) =>
    Number(r.cells[1].dataset.v))));
score.click();
say('sorted_up', Number(first().cells[1].dataset.v) <= best && score.parentElement.ariaSort === 'ascending');
const search = document.getElementById('search'), verdict = document.getElementById('verdict');
search.value = 'MÜLLER ,';
search.dispatchEvent(new Event('input'));
say('filtered_by_name', visible() > 0 && visible() < 60 && first().cells[0].textContent.startsWith('Müller, '));
search.value = '';
search.dispatchEvent(new Event('input'));
verdict.value = 'look';
verdict.dispatchEvent(new Event('change'));
say('filtered_by_look', visible() > 5 && visible() < 40 && document.getElementById('shown').textContent !== '');
say('fits', document.documentElement.scrollWidth <= innerWidth);
say('still', performance.getEntriesByType('resource').length === 0);
document.title = 'seen ' + seen.join(' ');
}</script>"""


class Page(html.parser.HTMLParser):
    """Counts the elements; collects attributes, links and the text of the students' first cells."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.links, self.names, self.attributes, self.inside = {}, [], [], set(), None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes |= {(tag, name) for name, _ in attrs}
        self.links += [v for name, v in attrs if name in ("href", "src", "action", "data", "srcset")]
        if tag == "bdi":
            self.names.append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = None if tag == "bdi" else self.inside

    def handle_data(self, data):
        if self.inside:
            self.names[-1] += data


def text_of(folder, by=report):
    status, _, error = by("class", os.path.join(SCRATCH, folder))
    return status, read(folder, "class.html").decode() if status == 0 else "", error.decode()


def in_chromium(folder, width):
    """What the probe saw, or why it saw nothing."""
    page = read(folder, "class.html").decode()
    page = page.replace("<script>", "<script>onerror = () => { window.failed = true; };</script><script>", 1)
    path = scratch(f"{folder}/probed.html", page.replace("</body>", PROBE % N + "</body>"))
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    status, out, error = run(program, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={SCRATCH}/chromium",
                             f"--window-size={width},900", "--virtual-time-budget=3000", "--dump-dom", "file://" + path)
    found = re.search(r"<title>seen ([^<]*)</title>", out.decode(errors="replace"))
    return dict(word.split("=") for word in found[1].split()) if found else {"ran": f"0 {status} {error[-300:]}"}


def main():
    names = a_class.write(os.path.join(SCRATCH, "class300"), N)
    status, text, error = text_of("class300")
    page = Page(text)
    ok(status == 0 and page.tags.get("tr", 0) > N and text.count("<tr") == text.count("</tr>"), "three_hundred_rows", error)
    shown = [n for n in names.values() if n[:1].isalpha() and "," in n]
    ok(set(shown[:-1]) <= set(page.names), "every_student_has_a_row_with_the_name", set(shown[:-1]) - set(page.names))
    ok(page.tags["script"] == 1 and "img" not in page.tags and page.tags["h1"] == 1 and page.tags["table"] == 3,
       "a_name_makes_no_element", page.tags)
    ok(not [a for a in page.attributes if a[1].startswith("on")] and
       not [v for v in page.links if ":" in v or v.startswith("/") or ".." in v], "and_no_attribute_or_link_out", page.links[:9])
    ok(not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), "no_control_character_or_direction_mark")
    ok(not re.search(r"https?:|url\(|@import", re.sub(r"<(bdi|title)>.*?</\1>", "", text)) and "default-src 'none'" in text,
       "it_asks_nobody_for_anything")
    for what in ("forbidden symbol", "timing suspect", "grader error", "could not be graded", "96 % alike", "look at these two"):
        ok(what in text.partition("<h2>Scores")[0], "it_begins_with_" + re.sub(r"\W+", "_", what))
    ok(text.count("<figure>") == 1 + TASKS + LADDERS and text.count("all 2.75x") == 1, "a_histogram_a_task_and_a_ladder_a_criterion")
    ok(text == text_of("class300", report_plainly)[1], "the_same_results_give_the_same_bytes")

    astray = variants.cpu()
    for task in astray["tasks"][:2]:
        task.update(verdict="MISSING", cases=[], message="there is no a/b.c; there is A/b.c")
    plain = variants.cpu()
    plain["tasks"][0].update(verdict="MISSING", cases=[], message="there is no a/b.c")
    scratch("astray/ada/results.json", dict(astray, submission="ada"))
    scratch("astray/ben/results.json", dict(plain, submission="ben"))
    first = text_of("astray")[1].partition("<h2>Scores")[0]
    ok(first.count("there is A/b.c") == 1 and "<bdi>ben" not in first, "a_file_in_another_place_is_a_line_and_one_that_is_not_there_none")

    said = variants.cpu()
    said["tasks"][0].update(verdict="WRONG_ANSWER", message="a note; TODO 1.2: l is not the sum; and more")
    for case, words in zip(said["tasks"][0]["cases"], ("wrong: rows 1..", "after TODO 1.2; wrong: row 7", "a crash")):
        case.update(verdict="WRONG_ANSWER", diagnosis=words)
    said["tasks"][0]["cases"][0].update(criterion="todo", todo="1.2")
    scratch("said/a/results.json", said)
    teach = text_of("said")[1].partition("What to teach again")[2].partition("<h2>Students")[0]
    ok(teach.count("TODO 1.2: l is not the sum <small>") == 2 and "a crash <small>" in teach and "wrong: " not in teach,
       "what_to_teach_again_names_the_cause_where_the_message_does", teach)

    scratch("hostile/a/results.json", variants.hostile())
    scratch("hostile/b/results.json", variants.failing())
    page = Page(text_of("hostile")[1])
    ok(page.tags.get("script") == 1 and "img" not in page.tags and "a" in page.tags, "no_string_of_a_result_is_code", page.tags)
    os.makedirs(os.path.join(SCRATCH, "none"))
    status, text, error = text_of("none")
    ok(status == 0 and "<b>0</b>" in text, "a_class_of_nobody_is_a_page", error)
    page_of_none = text
    ok(text_of("absent")[0] == 1, "no_folder_is_exit_1")

    scratch("ungraded/ada/results.json", dict(variants.cpu(), submission="ada"))
    rows = [os.path.join(SCRATCH, "ungraded", name, "results.json") for name in ("ada", "-zoe")]
    report("gradebook", os.path.join(SCRATCH, "ungraded/gradebook.csv"), *rows)
    text = text_of("ungraded")[1]
    begin = text.partition("<h2>Scores")[0]
    ok("<b>2</b>submissions" in text and "<b>1</b>could not be graded" in text and "Nothing to look at" not in text and
       "<bdi>-zoe</bdi>: <span class=\"what\">could not be graded" in begin and "--regrade errors" in begin and
       "-zoe/" not in str(Page(text).links),
       "a_submission_without_a_result_is_counted_and_listed_as_in_the_gradebook", begin[-900:])
    scratch("ungraded/-zoe/results.json", dict(variants.cpu(), submission="-zoe"))
    ok("</b>could not be graded" not in text_of("ungraded")[1], "and_no_more_when_it_has_one")

    for name, manual in (("c", {"items": [{"item": "report", "points": 2.5, "comment": "<b>good</b>"}], "late_days": 3,
                                "penalty": 1, "total": 20.75}), ("d", None)):
        scratch(f"by_hand/{name}/results.json", dict(variants.cpu(), submission=name, **({"manual": manual} if manual else {})))
    text = text_of("by_hand")[1]
    ok("days late" in text and "<b>20.75</b>" in text and ">2.5</td>" in text and "days late" not in page_of_none,
       "points_by_hand_and_days_late_have_columns_where_there_are_any", text[-1500:])

    for width, what in ((1200, "on_a_desk"), (420, "on_a_phone")):
        if not any(shutil.which(p) for p in ("chromium", "chromium-browser", "google-chrome")):
            skip(f"it_sorts_filters_and_fits_{what}", "no chromium: apt-get install chromium")
            continue
        seen = in_chromium("class300", width)
        ok(len(seen) == 8 and set(seen.values()) == {"1"}, f"it_sorts_filters_and_fits_{what}", seen)
