"""test_schema.py: the fixtures obey results.schema.json, and the C loader accepts exactly what the schema accepts."""
import copy
import json
import os
import sys

from tap import FIXTURES, HERE, REPORT, fixture, ok, results_md, run, scratch

WRONG = [None, -1, 0, 1.5, "text", True, {}, [1, 2], ["x"]]


def mutants(root):
    """(what was done, document): every field taken out, renamed, and replaced by each value of WRONG, one at a time."""
    def walk(path, value):
        yield path, value
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, inner in items:
            yield from walk(path + [key], inner)

    def at(document, path):
        for key in path:
            document = document[key]
        return document

    for path, _ in walk([], root):
        where = "/".join(map(str, path))
        if path:
            for wrong in WRONG:
                document = copy.deepcopy(root)
                at(document, path[:-1])[path[-1]] = wrong
                yield f"{where} = {json.dumps(wrong)}", document
        if path and isinstance(path[-1], str):
            document = copy.deepcopy(root)
            del at(document, path[:-1])[path[-1]]
            yield f"{where} taken out", document
        if isinstance(at(root, path), dict):
            document = copy.deepcopy(root)
            at(document, path)["surplus"] = 1
            yield f"{where} with a surplus field", document


def small_document():
    """The smallest document that has every field of the schema, optional ones too."""
    root = json.load(open(fixture("full")))
    root["tasks"] = root["tasks"][1:]
    task = root["tasks"][0]
    task["message"] = "a message"
    for name in ("criteria", "cases", "timings"):
        task[name] = task[name][:1]
    task["cases"][0].update(todo="3.1", first_bad=[0, 1], diagnosis="a diagnosis")
    task["timings"][0].update(why="a reason", tiles=[16, 32])
    task["timings"][0].update(tbt_p99_s=0.002, tokens_per_s=500, attention_share=0.4)
    shape = task["timings"][0]["shape"]
    task["counts"] = [{"case": "c", "buffer": "K", "bytes_loaded": 1, "bytes_stored": 2, "sectors": 3,
                       "bank_conflicts": 4, "least_bytes": 1, "shape": shape}]
    task["findings"] = [{"case": "c", "verdict": "WRONG_ANSWER", "finding": "f"}]
    root["rescored"] = {"at": root["created"], "lab_commit": "c"}
    task["profile"] = [{"kernel": "k", "source": "ncu", "case": "c", "shape": shape, "registers": 40, "spill_bytes": 0,
                        "shared_bytes": 1, "seconds": 1e-5, "dram_bytes": 1e6, "memory_pct": 60.5, "sm_pct": 40,
                        "occupancy_pct": 50, "bank_conflicts": 0, "flops": 1e9}]
    task["profile_note"] = "a note"
    task["demo"] = {"prompt": "p", "text": "t", "reference_text": "r",
                    "recall": {"asked": 2, "yours": 1, "reference": 2}}
    root["machine"]["gpu_rates"] = {"copy_gb_s": 4000, "read_gb_s": 4500, "fma_gflop_s": 60000}
    for name in ("fma_peaks", "bandwidths"):
        root["machine"][name] = root["machine"][name][:1]
    return root


def text_mutants(root):
    """Strings with a form of their own."""
    for key, values in (("created", ["2030-01-31", "2030-01-31T12:00:00", "2030-01-31T12:00:00+01:00",
                                     "2030-01-31T12:00:00-05:00", "2030-01-31T12:00:00Zx"]),
                        ("schema", [2, 1.0, "1"]), ("backend", ["gpu", "CPU", "cuda"])):
        for value in values:
            yield f"{key} = {value}", dict(copy.deepcopy(root), **{key: value})
    for where, key, values in (("tasks", "id", ["", "Task3", "../x", "a b", "t" * 33, "t" * 32, "task_6"]),
                               ("cases", "todo", ["3", "3.", ".1", "3.1 ", "3.1.2", "33.12"]),
                               ("cases", "verdict", ["passed", "FAILED", "RACE"]),
                               ("timings", "series", ["decode", "heads", "kv", "tokens", "graph", "kernels", "dim",
                                                      "queries", "speedups", "model", "tbt", "TBT"]),
                               ("profile", "source", ["ptxas", "nsys"]), ("criteria", "kind", ["bonus", "speed"])):
        for value in values:
            document = copy.deepcopy(root)
            target = document["tasks"][0] if where == "tasks" else document["tasks"][0][where][0]
            target[key] = value
            yield f"{where} {key} = {value}", document


def main():
    status, _, error = run(sys.executable, os.path.join(HERE, "make_fixtures.py"), "--check")
    ok(status == 0, "fixtures_are_what_make_fixtures_writes", error.decode())
    try:
        import jsonschema
    except ImportError:
        ok(False, "schema_is_checked",
           f"no jsonschema: {sys.executable} -m pip install jsonschema, or apt install python3-jsonschema")
        return
    schema = json.load(open(os.path.join(REPORT, "results.schema.json")))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name in FIXTURES:
        errors = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(json.load(open(fixture(name))))]
        ok(not errors, f"{name}_obeys_the_schema", "\n".join(errors))
    root = small_document()
    ok(validator.is_valid(root), "small_document_obeys_the_schema", [e.message for e in validator.iter_errors(root)])
    disagree, accepted, rejected = [], 0, 0
    for what, document in list(mutants(root)) + list(text_mutants(root)):
        valid = validator.is_valid(document)
        status, _, error = results_md(scratch("mutant.json", json.dumps(document)))
        accepted, rejected = accepted + (status == 0), rejected + (status == 1)
        if (status == 0) != valid or status not in (0, 1):
            judged = "accepts" if valid else "rejects"
            disagree.append(f"{what}: schema {judged}, loader says {status} {error.decode()}")
    ok(not disagree, f"loader_and_schema_agree_on_{accepted + rejected}_changed_documents", "\n".join(disagree))
    ok(accepted > 50 and rejected > 500,
    "changed_documents_fall_on_both_sides",
     f"{accepted} accepted, {rejected} rejected")
