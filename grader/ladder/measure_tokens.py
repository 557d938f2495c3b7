"""Task 6's rungs: GPT-2 124M with random weights, one sequence: time to the first token, and from a token to the next.

token_time.cu asks each set of stages in turns, in one process; tasks 4 and 5 are rung 10 and split_kv throughout.
"""
import json
import subprocess

RUNS = ((900, 100), (1000, 24))  # prompt, and tokens after it
MODEL = "random:layers=12,hidden=768,seed=3"


def measure(paths, driver, program, flash, decode):
    sets = [f"{name}={flash},{decode},{path}" for name, path in paths.items()]
    rows = []
    for prompt, tokens in RUNS:
        text = subprocess.run([program, driver, MODEL, str(prompt), str(tokens), *sets], check=True,
                              capture_output=True, text=True).stdout
        rows += [json.loads(line) for line in text.splitlines()]
    return rows


def tables(r):
    yield "\n## GPT-2 124M with random weights, float32, one sequence: milliseconds\n"
    yield "Medians of five rounds, by a host's clock. The difference is the largest of a logit from the answer's, over 24"
    yield "tokens; logits have a deviation of 2.\n"
    yield "| | prompt | to the first token | a token | 99 of 100 tokens | difference |\n|---|---|---|---|---|---|"
    for c in r:
        yield (f"| {c['name']} | {c['prompt']} | {c['ttft_ms']:.2f} | {c['tbt_ms']:.4f} | {c['tbt_p99_ms']:.4f} | "
               f"{c['largest_difference']:.1e} |")
