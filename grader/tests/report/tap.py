"""tap.py: the Test Anything Protocol for the report's tests, and how they run the program."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.normpath(os.path.join(HERE, "../../report"))
SCRATCH = tempfile.mkdtemp(prefix="report-tests-")
count, failures = 0, 0


def ok(passed, name, detail=""):
    """One claim. detail says what was seen; it is printed only when the claim fails."""
    global count, failures
    count += 1
    failures += not passed
    print(f"{'ok' if passed else 'not ok'} {count} - {name}")
    if not passed and detail:
        for line in str(detail).splitlines()[:8]:
            print("  # " + line[:300])
    sys.stdout.flush()
    return passed


def skip(name, reason):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {reason}")


def scratch(name, data):
    """A file with this content (a document, if it is one), for this run only."""
    path = os.path.join(SCRATCH, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = json.dumps(data) if isinstance(data, (dict, list)) else data
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path


def run(*command):
    """Exit status, standard output and standard error as bytes; a hang is a failure, not a hang of the tests."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return -1, b"", b"timed out"
    return done.returncode, done.stdout, done.stderr


def report(*arguments):
    return run(os.environ["REPORT"], *arguments)


def report_plainly(*arguments):
    """The same without AddressSanitizer, which takes ten times as long to begin; with FULL=yes it is there, too."""
    return report(*arguments) if os.environ.get("FULL") else run(os.environ["REPORT_PLAIN"], *arguments)


def read(*path):
    with open(os.path.join(SCRATCH, *path), "rb") as file:
        return file.read()
