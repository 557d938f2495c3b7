"""overview.py: how the data flows, for the first page. The dashed line is the trust boundary."""
from style import BLUE, CARD, GREEN, GREY, ORANGE, PURPLE, RED, SKY, arrow, box, canvas, save, text


def draw(path):
    axes = canvas(100, 46)

    text(axes, 19, 42.4, "not trusted", 9, RED, weight="bold")
    text(axes, 61, 42.4, "trusted", 9, GREEN, weight="bold")
    axes.plot([41, 41], [3, 43.5], linestyle=(0, (4, 3)), color=RED, linewidth=1.5)

    box(axes, 4, 29, 30, 10, "your files", ("reference.c, naive.cu, tiled_cpu.c, ...",), BLUE)
    arrow(axes, (19, 28.7), (19, 23.3))
    text(axes, 20, 26.1, "compiler", 8, GREY, ha="left")
    box(axes, 4, 8, 30, 15, "runner process",
        ("loads your functions,", "gets inputs, returns outputs,", "never says a verdict;", "may crash, hang or exit"),
        RED, dashed=True)

    box(axes, 48, 29, 27, 10, "cases", ("shapes and claims, one table;", "inputs from a secret seed"), ORANGE)
    box(axes, 48, 8, 27, 15, "checker process",
        ("float64 oracle, both tolerances,", "guard bands, the clock;", "diagnosis: which mistake",
         "gives just these numbers?"), GREEN)
    arrow(axes, (61.5, 28.7), (61.5, 23.3))
    arrow(axes, (47.7, 18.4), (34.3, 18.4), RED, 2.2)
    text(axes, 41, 20.2, "inputs", 8.5, bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1.5})
    arrow(axes, (34.3, 12.2), (47.7, 12.2), RED, 2.2)
    text(axes, 41, 10.3, "outputs", 8.5, bbox={"facecolor": CARD, "edgecolor": "none", "pad": 1.5})

    arrow(axes, (75.3, 15.5), (79.7, 15.5))
    box(axes, 80, 11, 16.5, 9, "results.json", ("the one", "interchange file"), SKY)
    arrow(axes, (88.2, 20.3), (88.2, 28.7))
    box(axes, 80, 29, 16.5, 10, "to read", ("Results.md, plots,", "gradebook.csv"), PURPLE)
    text(axes, 61.5, 5, "A crash is a failed case with a name; the next case runs.", 8.5, GREY)
    text(axes, 19, 5, "make task1 test and grade_all run the same.", 8.5, GREY)
    save(axes, path)
