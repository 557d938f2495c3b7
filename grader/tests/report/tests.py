#!/usr/bin/env python3
"""tests.py: runs the report's tests and prints TAP. The script run builds what they need and calls this."""
import shutil
import sys
import traceback

sys.dont_write_bytecode = True

import tap  # noqa: E402
import test_class  # noqa: E402
import test_fill  # noqa: E402
import test_gradebook  # noqa: E402
import test_leaderboard  # noqa: E402
import test_page  # noqa: E402
import test_plots  # noqa: E402
import test_schema  # noqa: E402

TESTS = {"schema": test_schema, "page": test_page, "gradebook": test_gradebook, "fill": test_fill, "plots": test_plots,
         "class": test_class, "leaderboard": test_leaderboard}

try:
    for name in sys.argv[1:] or TESTS:
        try:
            TESTS[name].main()
        except Exception:  # a test that breaks is a test that fails; the others still run
            tap.ok(False, f"{name}_tests_run_to_their_end", traceback.format_exc())
finally:
    shutil.rmtree(tap.SCRATCH, ignore_errors=True)
print(f"1..{tap.count}")
print(f"# report: {tap.count - tap.failures} passed, {tap.failures} failed")
sys.exit(tap.failures > 0)
