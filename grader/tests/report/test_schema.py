"""test_schema.py: results obey results.schema.json, which is written from the tables; the loader agrees with it."""
import json
import os
import pickle
import sys

import variants
from tap import REPORT, SCRATCH, ok, read, report, report_plainly, scratch, skip


def small():
    """The smallest document that has every field of the schema, optional ones too."""
    root = variants.gpu()
    task = variants.task(root, "task4")
    shape = task["timings"][0]["shape"]
    task.update({name: task[name][:1]
                 for name in ("criteria", "cases", "timings", "counts")},
                message="a message",
                profile_note="a note",
                unlooked="simt does not compile the file",
                findings=[{"case": "c", "verdict": "WRONG_ANSWER", "finding": "f"}])
    task["cases"][0].update(todo="3.1", first_bad=[0, 1], diagnosis="a diagnosis")
    task["criteria"][0].update(value=1.5, **{"from": 1, "to": 2})
    task["timings"][0].update(why="a reason",
                              tiles=[16, 32],
                              tbt_p99_s=0.002,
                              tokens_per_s=500,
                              attention_share=0.4,
                              extra_bytes=1,
                              threads=1,
                              speedup=1.5)
    task["counts"][0].update(shape=shape, least_bytes=1)
    task["profile"] = [{
        "kernel": "k", "source": "ncu", "case": "c", "shape": shape, "registers": 40, "spill_bytes": 0,
        "shared_bytes": 1, "seconds": 1e-5, "dram_bytes": 1e6, "memory_pct": 60.5, "sm_pct": 40, "occupancy_pct": 50,
        "bank_conflicts": 0, "flops": 1e9
    }]
    task["demo"] = {
        "prompt": "p", "text": "t", "reference_text": "r", "recall": {"asked": 2, "yours": 1, "reference": 2}
    }
    root.update(tasks=[task], rescored={"at": root["created"], "lab_commit": "c"})
    for name in ("fma_peaks", "bandwidths"):
        root["machine"][name] = root["machine"][name][:1]
    return root


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, path + (key, ))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def mutants(root):
    """(what was done, document, whether loader and schema must agree): fields taken out, added, of another type."""
    names, whole = ("id", "verdict", "series", "schema"), pickle.dumps(root)  # copied in a third of deepcopy's time
    for path in list(places(root)):
        where = "/".join(map(str, path))
        if isinstance(at(root, path), dict):
            document = pickle.loads(whole)
            at(document, path)["surplus"] = 1
            yield f"{where} with a surplus field", document, True
        if not path or not isinstance(path[-1], str):
            continue
        document = pickle.loads(whole)
        del at(document, path[:-1])[path[-1]]
        yield f"{where} taken out", document, True
        for wrong in ("nonsense", 7.5, None):
            document = pickle.loads(whole)
            at(document, path[:-1])[path[-1]] = wrong
            # What the schema says beyond types (least values, patterns, nulls of one type) the loader need not know.
            nested = isinstance(at(root, path), (list, dict)) and path[-1] not in ("first_bad", "tiles")
            yield f"{where} = {json.dumps(wrong)}", document, nested or path[-1] in names


def main():
    try:
        import jsonschema
    except ImportError:
        skip("schema_is_checked", f"no jsonschema: {sys.executable} -m pip install jsonschema")
        return
    path = os.path.join(REPORT, "results.schema.json")
    text = open(path, "rb").read()
    status, out, error = report("schema", path)
    ok(status == 0 and out == text, "the_schema_is_what_the_tables_of_verdicts_series_and_tasks_write",
       "build/bin/report schema grader/report/results.schema.json prints it anew")
    schema = json.loads(text)
    schema["$defs"]["verdict"]["enum"].pop()
    schema["$defs"]["series"]["enum"].append("speed")
    status, out, error = report("schema", scratch("stale.json", schema))
    ok(status == 0 and out == text, "a_stale_list_of_names_is_renewed", error)
    validator = jsonschema.Draft202012Validator(json.loads(text))
    for name in variants.ALL:
        errors = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(variants.document(name))]
        ok(not errors, f"{name}_obeys_the_schema", "\n".join(errors))
    root = small()
    wrong, accepted, rejected = [], 0, 0
    for n, (what, document, agree) in enumerate([("the small document", root, True)] + list(mutants(root))):
        valid = validator.is_valid(document)
        asked = report if n % 8 == 0 else report_plainly
        status, _, error = asked("page", scratch("mutant/results.json", document), os.path.join(SCRATCH, "mutant"))
        accepted, rejected = accepted + (status == 0), rejected + (status == 1)
        if status not in (0, 1) or (status == 1 and valid) or (agree and (status == 0) != valid):
            wrong.append(f"{what}: schema {'accepts' if valid else 'rejects'}, loader says {status} {error.decode()}")
    ok(not wrong and accepted > 50 and rejected > 200, "the_loader_takes_what_the_schema_takes", "\n".join(wrong) or
       (accepted, rejected))
    ok(read("mutant", "Results.md") != b"", "what_the_loader_takes_becomes_a_page")
