# Makefile: every command of the lab; `make help` lists them. The rules behind them: grader/lab.mk.
#
#     make task1 task3 test      the named tasks; all of them when none is named
#     IMPL=DIR make ...          task folders from another tree (IMPL=grader/solutions: the answers)
#     ##+ below                  help that a handout, which has no answers, does not show

.DEFAULT_GOAL := help
VERBS := test hint watch bench sweep sanitize lines profile debug compile
IMPL ?= .
include grader/lab.mk

.PHONY: help $(TASKS) $(VERBS) demo status grade check check-gpu check-class check-slurm report setup handout
.PHONY: gradescope autolab ladder figures clean
help:
	@sed -n '$(if $(SOLVED),s/^##[+]/## /;)s/^## //p' Makefile

## make taskN [test]            is it right? one line per claim, and what to do next      ONLY=text: some claims only
## make taskN hint TODO=1.2     a hint; LEVEL=1..3: the idea, the invariant, pseudocode. Without TODO: the list
## make task4 watch            tests on each save, and the first thing to do
## make taskN bench             how fast is it, next to the baselines?
## make task4 sweep             which tile sizes are best on this machine? (task 3: on the CPU)
## make taskN sanitize          CUDA tasks: races, stray and unwritten memory, by line (or in checked mode, on the CPU)
## make taskN lines             CUDA tasks: what each line of your file moves, hottest first, and a page     CASE=text
## make taskN profile           CUDA tasks: registers, spills; with ncu: DRAM bytes, throughput, occupancy, conflicts
## make taskN debug             gdb, stopped where the lab calls your code; ONLY=text picks the claim
## make taskN compile           does it compile?
## make demo                    a GPT-2 answers from a phone book with your kernels     PROMPT="..." MODEL=DIR RECALL=N
## make status                  where you stand: what the last tests said, task by task
##+make grade                   grade the answers into results/: Results.md, results.json, plots
##+make check                   the lab's own tests; check-gpu, check-slurm; check-class N=300: a class of submissions
## make report                  fill report.md from RESULTS (the newest results.json); what you wrote in it stays
## make setup                   install what is missing (SETUP=no forbids it)
##+make handout                 build/attention-lab.tar.gz: this tree without answers and tests of the lab
##+make gradescope | autolab    build/gradescope.zip, build/autolab: what these servers want (grader/export/README.md)
##+make ladder                  task 4 from the answer to far beyond: grader/ladder, measured on a GPU beside PyTorch
## make figures                 draw the figures of the READMEs again
## make simt                    CUDA on the CPU: grader/simt/simtcc FILE.cu -o PROGRAM, then ./PROGRAM
## make clean | help
##
##+IMPL=grader/solutions        before a command: another tree in place of your files
## grader/grade_all --help      grade submissions

$(TASKS): $(if $(filter $(VERBS),$(MAKECMDGOALS)),,test)
	@:
test: $(SELECTED:%=test-%)
hint: $(SELECTED:%=hint-%)
watch: watch-$(firstword $(SELECTED))
bench: $(SELECTED:%=bench-%)
sweep: $(or $(NAMED:%=sweep-%),sweep-task3 $(if $(GPU),sweep-task4))
sanitize: $(SELECTED:%=sanitize-%)
lines: $(SELECTED:%=lines-%)
profile: $(SELECTED:%=profile-%)
debug: $(SELECTED:%=debug-%)
compile: $(foreach t,$(SELECTED),$(call stage,$(IMPL),$t))

hint-%:
	@grader/hint $(call folder,$*)/hints.md "$(TODO)" $(LEVEL)
watch-%:
	@IMPL=$(IMPL) grader/watch $* $(IMPL)/$(call folder,$*)/$(call source,$*)
status:
	@$(foreach t,$(TASKS),grader/status $t $(IMPL)/$(call folder,$t)/$(call source,$t) \
	    $(patsubst %.so,%.summary,$(call stage,$(IMPL),$t));) true
grade:
	@[ -n "$(SOLVED)" ] || { echo "  the answers are not in this tree; your own work: grader/grade_all ."; exit 1; }
	@grader/setup --quiet && grader/grade_all --out results grader/solutions
check:
	@[ -x grader/tests/run ] || { echo "  the lab's own tests are not in this tree; yours: make test"; exit 1; }
	@grader/setup --quiet && grader/tests/run
check-gpu:
	@grader/tests/check_gpu.sh
check-class:
	@grader/tests/check_class.sh $(or $(N),300)
check-slurm:
	@grader/setup --quiet && AGAIN=yes grader/tests/run slurm
report: $(B)/bin/report
	@[ -n "$(RESULTS)" ] || { echo "no results yet: grader/grade_all . writes them, then make report"; exit 1; }
	@[ -e $(REPORT) ] || cp report_template/report.md $(REPORT)
	@$(B)/bin/report fill $(RESULTS) $(REPORT)
setup:
	@grader/setup
handout:
	@[ -x grader/handout ] || { echo "  this tree is a handout"; exit 1; }
	@grader/handout
gradescope autolab:
	@grader/export/pack $@
ladder:
	@[ -e grader/ladder/run ] || { echo "  the ladder is not in this tree"; exit 1; }
	@grader/ladder/run
figures:
	@grader/setup --quiet plots && $(or $(SETUP_PYTHON),python3) grader/figures/draw.py
clean:
	$(Q)rm -rf $(B)
