# Makefile: every command of the lab; `make help` lists them. The rules behind them: grader/lab.mk.
#
#     make task1 task3 test      the named tasks; all of them when none is named
#     IMPL=DIR make ...          task folders from another tree (IMPL=grader/solutions: the answers)
#     ##+ below                  help that a handout, which has no answers, does not show

.DEFAULT_GOAL := help
VERBS := test hint watch bench sweep sanitize lines picture profile debug compile
COMMANDS := demo status grade check check-gpu check-class check-slurm report setup handout gradescope autolab \
            leaderboard ladder figures clean help
IMPL ?= .
include grader/lab.mk

.PHONY: $(TASKS) $(VERBS) $(COMMANDS)
help:
	@sed -n '$(if $(SOLVED),s/^##[+]/## /;)s/^##\( \|$$\)//p' Makefile

## make task1 [test]       is it right? a line per TODO and claim, then what to do
##                         next; ONLY=causal: the claims with that in their name;
##                         TODO=1.2: those of that TODO
## make task1 hint         the TODOs; TODO=1.2: a hint; LEVEL=1 the idea, 2 the
##                         invariant, 3 pseudocode
## make task1 watch        tests on each save, and the first thing to do
## make task1 debug        gdb, stopped in your code; TODO=1.2 or ONLY=claim: there
## make task1 compile      does it compile?
## make status             where you stand: what the last tests said
##
## make task3 bench        how fast is it, next to the baselines? ONLY="S=512":
##                         a look of seconds
## make task3 sweep        the best tile sizes on this machine (task 4: on a GPU)
## make task4 sanitize     races, stray and unwritten memory, by line
## make task4 lines        what each line of your file moves, and a page; CASE=text
## make task4 picture      one block as it runs, on a page; CASE=full BLOCK=0
## make task4 profile      registers, spills; with ncu: bytes, occupancy, conflicts
## make demo               a GPT-2 answers from a phone book, with your kernels;
##                         PROMPT="..." MODEL=DIR RECALL=N
## grader/grade_all .      your results page, as it will be graded
## make report             fills report.md from the newest results, and makes
##                         report.html and report.pdf of it; your text stays
##
##+make grade              grades the answers into results/: pages and plots
##+make check              the lab's own tests; FULL=yes: all of them; check-gpu,
##+                        check-slurm; check-class N=300: a class of submissions
##+make handout            build/attention-lab.tar.gz: this tree without answers
##+make gradescope         build/gradescope.zip; make autolab: grader/export
##+make ladder             task 4 from the answer to far beyond, on a GPU
## make leaderboard        who is fast, of those who chose a name (file nickname);
##                         CLASS=results: the folder of grade_all --out
## make setup              installs what is missing; SETUP=no forbids that
## make figures            draws the figures of the READMEs again
## make simt               CUDA on the CPU: grader/simt/simtcc FILE.cu -o PROGRAM
## make clean | help
##+IMPL=grader/solutions   before a command: another tree in place of your files

$(TASKS): $(if $(filter $(VERBS),$(MAKECMDGOALS)),,test)
	@:
$(filter-out compile,$(VERBS)):
	@:
# A TODO names its task, if there is one.
OF_TODO = $(filter $(TASKS),task$(firstword $(subst ., ,$(TODO))))
test: $(or $(if $(NAMED)$(MISSPELT),,$(OF_TODO:%=test-%)),$(SELECTED:%=test-%))
hint: $(or $(if $(TODO),hint-$(or $(OF_TODO),$(firstword $(NAMED)),task$(firstword $(subst ., ,$(TODO))))),\
           $(SELECTED:%=hint-%))
watch: $(addprefix watch-,$(firstword $(SELECTED)))
bench: $(SELECTED:%=bench-%)
sweep: $(or $(NAMED:%=sweep-%),sweep-task3 $(if $(GPU),sweep-task4))
sanitize: $(SELECTED:%=sanitize-%)
lines: $(SELECTED:%=lines-%)
picture: $(SELECTED:%=picture-%)
profile: $(SELECTED:%=profile-%)
debug: $(SELECTED:%=debug-%)
compile: $(foreach t,$(SELECTED),$(call stage,$(IMPL),$t))
	@printf '  %s compiles\n' $(SELECTED)

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
	@[ -x grader/tests/run ] || { echo "  the lab's own tests are not in a handout; yours: make test"; exit 1; }
	@grader/tests/run
check-gpu:
	@grader/tests/check_gpu.sh
check-class:
	@grader/tests/check_class.sh $(or $(N),300)
check-slurm:
	@AGAIN=yes grader/tests/run slurm
report: $(if $(RESULTS),$(B)/bin/report)
	@[ -n "$(RESULTS)" ] || { echo "no results yet: grader/grade_all . writes them, then make report"; exit 1; }
	@[ -e $(REPORT) ] || cp report_template/report.md $(REPORT)
	@$(B)/bin/report fill $(RESULTS) $(REPORT) && grader/report/publish $(REPORT)
leaderboard: $(if $(wildcard $(or $(CLASS),results)),$(B)/bin/report)
	@[ -d $(or $(CLASS),results) ] || { echo "no results yet: grader/grade_all . writes them"; exit 1; }
	@$(B)/bin/report leaderboard $(or $(CLASS),results)
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
