"""contracts.py FORMAT FILE [FORMAT FILE]...: exit 0 if the documents keep the contracts of the systems that read them.

gradescope: gradescope-autograders.readthedocs.io, "Output format". classroom: classroom-resources/autograding-grading-reporter.
autolab: docs.autolabproject.com, "Guide for lab authors". Written down here, not taken from the exporters.
"""
import json
import sys

import jsonschema

NUMBER, STRING = {"type": "number"}, {"type": "string"}
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}


def closed(required, **properties):
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def items(schema):
    return {"type": "array", "items": schema}


CONTRACTS = {
    "gradescope":
        dict(closed([], score=NUMBER, execution_time=NUMBER, output=STRING, output_format=FORMAT, test_output_format=FORMAT,
                    test_name_format=FORMAT, visibility=VISIBILITY, stdout_visibility=VISIBILITY, extra_data={"type": "object"},
                    tests=items(closed([], score=NUMBER, max_score=NUMBER, status={"enum": ["passed", "failed"]}, name=STRING,
                                       name_format=FORMAT, number=STRING, output=STRING, output_format=FORMAT,
                                       tags=items(STRING), visibility=VISIBILITY, extra_data={"type": "object"})),
                    leaderboard=items(closed(["name", "value"], name=STRING, value={"type": ["number", "string"]},
                                             order={"enum": ["asc", "desc"]}))),
             # Without a score of its own the tests must have some.
             anyOf=[{"required": ["score"]},
                    {"properties": {"tests": {"contains": {"required": ["score"]}}}, "required": ["tests"]}]),
    "classroom":
        closed(["version", "status", "max_score", "tests"], version={"const": 1}, status={"enum": ["pass", "fail", "error"]},
               max_score=NUMBER,
               tests=items(closed(["name", "status", "score"], name=STRING, status={"enum": ["pass", "fail", "error"]},
                                  message={"type": ["string", "null"]}, test_code=STRING, filename=STRING,
                                  line_no={"type": "integer"}, execution_time={"type": "string", "pattern": "^[0-9.]+m?s$"},
                                  score=NUMBER))),
    "autolab":
        closed(["scores"], scores={"type": "object", "additionalProperties": NUMBER}, scoreboard=items({})),
}


def keeps(name, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if name == "autolab":
        text = text.rstrip("\n").rsplit("\n", 1)[-1]  # what Autolab looks at
    try:
        errors = list(jsonschema.Draft202012Validator(CONTRACTS[name]).iter_errors(json.loads(text)))
    except json.JSONDecodeError as error:
        print(f"{path}: {error}"[:300])
        return False
    for error in errors[:5]:
        print(f"{path}: {error.json_path}: {error.message}"[:300])
    return not errors


if __name__ == "__main__":
    asked = sys.argv[1:]
    sys.exit(not all([keeps(*two) for two in zip(asked[::2], asked[1::2])]))
