#!/usr/bin/env python3
"""links.py: every link between the pages, and every file of the tree that a page names, is there. TAP.

    grader/tests/links.py [ROOT]     the Markdown files that git knows; without git, all of ROOT
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent.parent).resolve()
LINK = re.compile(r"\]\(([^)\s]+)\)")
# A file with a folder of the tree in front, in backquotes: `grader/core/check.h`. N, NAME, * and the like stand for others.
NAMED = re.compile(r"`((?:grader|task[1-6]_\w+|report_template|figures)/[A-Za-z0-9_./-]+)`")
EXAMPLES = re.compile(r"taskN|/taskN|NAME|grader/solutions/x")


def tracked():
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout
        return [root / f for f in listed.splitlines()]
    return [f for f in root.rglob("*") if f.is_file()]


def anchors(page):
    """The names that GitHub gives to headings."""
    names = set()
    for heading in re.findall(r"^#+ (.*)$", page.read_text(), re.M):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower())
        names.add(plain.replace(" ", "-"))
    return names


def dead(page, known):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if target not in known:
            yield f"{page.relative_to(root)} links to {link}"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{page.relative_to(root)} links to {link}: there is no such heading"
    for name in NAMED.findall(text):
        if not EXAMPLES.search(name) and (root / name.rstrip("/")).resolve() not in known:
            yield f"{page.relative_to(root)} names {name}"


files = tracked()
known = set(files) | {folder for f in files for folder in f.parents}
pages = sorted(f for f in files if f.suffix == ".md" and f.exists())
wrong = [line for page in pages for line in dead(page, known)]
for line in wrong:
    print("#", line)
print("not ok" if wrong or not pages else "ok", "1 - every_link_and_every_named_file_is_there")
print("1..1")
sys.exit(bool(wrong) or not pages)
