"""draw.py: draws every figure of the READMEs next to the page that shows it. `make figures` calls it.

    python3 grader/figures/draw.py          figures/*.svg
    python3 grader/figures/draw.py png      the same as .png, to look at
"""
import os
import sys

sys.dont_write_bytecode = True  # no __pycache__ in the tree

try:
    import attention
    import chain
    import decode
    import heads
    import overview
    import prefill
    import tiles
    import timeline
except ImportError as error:
    sys.exit(f"draw.py: {error}. The figures need matplotlib: `make setup`, or `pip install matplotlib`.")

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIGURES = {
    "figures/overview": overview,
    "task1_reference/figures/attention": attention,
    "task1_reference/figures/heads": heads,
    "task2_naive/figures/chain": chain,
    "task3_tiled_cpu/figures/tiles": tiles,
    "task5_decode/figures/decode": decode,
    "task6_pipeline/figures/prefill": prefill,
    "task6_pipeline/figures/timeline": timeline,
}

if sys.argv[1:] not in ([], ["svg"], ["png"]):
    sys.exit(__doc__)
ending = (sys.argv[1:] or ["svg"])[0]
for name, module in FIGURES.items():
    module.draw(os.path.normpath(os.path.join(ROOT, f"{name}.{ending}")))
    print(f"{name}.{ending}")
