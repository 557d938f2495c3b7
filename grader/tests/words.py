"""words.py: of a change in several lines its words, done literally, are what is applied.

    words.py EDITS SOURCE FOLDER    prints those that are not, and then how many were looked at
"""

import re
import subprocess
import sys

MOST = 24  # changes that are looked at


def loosely(text):
    """Whatever blanks stand between its words and signs."""
    parts = re.findall(r"\w+|[^\w\s]", text)
    return re.compile(r"(?<!\w)" + r"\s*".join(map(re.escape, parts)) + r"(?!\w)")


def literally(lines, row):
    """The file after a student does what the words say."""
    lines = list(lines)
    word = re.compile(r"(?<![\w.])" + re.escape(row["old"]) + r"(?![\w.])")
    first = int(row["line"])
    for at in [first] + [int(n) for n in row["also"].split(",") if n]:
        text, column = lines[at - 1], int(row["column"]) - 1
        if " ... " in row["old"]:
            was, now = (row[which].split(" ... ")[at != first] for which in ("old", "new"))
            lines[at - 1] = loosely(was).sub(lambda _, now=now: now, text, count=1)
        elif row["each"] == "1":
            lines[at - 1] = word.sub(row["new"], text)
        elif at == first:
            lines[at - 1] = text[:column] + row["new"] + text[column + len(row["old"]) :]
        else:
            lines[at - 1] = word.sub(row["new"], text, count=1)
    return "\n".join(lines) + "\n"


def main(edits, source, folder):
    table, done, looked = f"{folder}/words.tsv", f"{folder}/done{source[source.rindex('.'):]}", 0
    subprocess.run([edits, source, f"{folder}/words.out", table, "--limit", "100000"], check=True)
    with open(source) as file:
        lines = file.read().rstrip("\n").split("\n")
    with open(table) as file:
        head, *rows = [row.rstrip("\n").split("\t") for row in file]
    for row in (dict(zip(head, row)) for row in rows):
        if row["each"] == "2":  # some of them: nobody is told which
            continue
        if not (row["also"] or row["each"] == "1") or not re.fullmatch(r"\w+(\.| \.\.\. |$).*", row["old"]) or looked == MOST:
            continue
        looked += 1
        with open(done, "w") as file:
            file.write(literally(lines, row))
        command = [edits, source, "--reaches", done, "--limit", "100000"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        if not said.startswith(tuple("123456789")):
            print(row["old"], "->", row["new"], "in lines", row["line"], row["also"], "is not what is applied")
    print(looked)


main(*sys.argv[1:])
