# Makefile: every command of the lab; `make help` lists them.
#
#     make task1 task3 test      the named tasks; all of them when none is named
#     IMPL=DIR make ...          task folders from another tree (IMPL=grader/solutions: the solved ones)

MAKEFLAGS += --no-builtin-rules --no-print-directory --keep-going
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SECONDARY:

B := build
IMPL ?= .
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g
override CFLAGS += -std=gnu11 -Wall -Wextra
Q := $(if $(V),,@)
say = @printf '  %-8s %s\n' $(1) $(2)

# ---- the task table: task3 lives in task3_*/ with its test; its one source file is what is not the test
FOLDERS := $(patsubst %/,%,$(dir $(wildcard task[1-6]_*/test_task[1-6].c)))
TASKS := $(foreach f,$(FOLDERS),$(firstword $(subst _, ,$f)))
folder = $(wildcard $(1)_*)
source = $(notdir $(filter-out %/test_$(1).c,$(wildcard $(call folder,$(1))/*.c $(call folder,$(1))/*.cu)))
NAMED := $(filter $(TASKS),$(MAKECMDGOALS))
SELECTED := $(or $(NAMED),$(TASKS))
VERBS := test hint bench sweep debug compile sanitize profile
CUDA_TASKS := $(foreach t,$(TASKS),$(if $(filter %.cu,$(call source,$t)),$t))
# empty in a handout
SOLVED := $(if $(wildcard grader/solutions/task*),grader/solutions)

.PHONY: $(TASKS) $(VERBS) help status grade grade-tools report check setup handout figures clean
help:
	@sed -n 's/^##.//p' Makefile

## make taskN [test]            is it right? one line per claim, and what to do next      ONLY=text: some claims only
## make taskN hint TODO=1.2     a hint; LEVEL=1..3: the idea, the invariant, pseudocode. Without TODO: the list
## make taskN bench             how fast is it, next to the baselines?
## make task4 sweep             which tile sizes are best on this machine? (task 3: on the CPU)
## make taskN sanitize          CUDA tasks: races, stray and unwritten memory, by line (compute-sanitizer, or simt's checked mode)
## make taskN profile           CUDA tasks: registers, spills; with ncu: DRAM bytes, throughput, occupancy, conflicts
## make taskN debug             gdb, stopped where the lab calls your code; ONLY=text picks the claim
## make taskN compile           does it compile?
## make demo                    a GPT-2 answers from a phone book with your kernels     PROMPT="..." MODEL=DIR RECALL=N
## make status                  where you stand, task by task
## make grade                   grade the reference solutions into results/: Results.md, results.json, plots
## make check                   the lab's own tests
## make report                  fill report.md from RESULTS (the newest results.json); what you wrote in it stays
## make setup                   install what is missing (SETUP=no forbids it)
## make handout                 build/attention-lab.tar.gz: this tree without solutions and tests of the lab
## make figures                 draw the figures of the READMEs again
## make simt                    CUDA on the CPU: grader/simt/simtcc FILE.cu -o PROGRAM, then ./PROGRAM
## make clean | help
##
## IMPL=grader/solutions        before a command: another tree in place of your files
## grader/grade_all --help      grade submissions

$(TASKS): $(if $(filter $(VERBS),$(MAKECMDGOALS)),,test)
	@:

# ---- set-up: what was found stands in build/.setup, a makefile of its own
ifneq ($(filter-out help clean setup handout,$(MAKECMDGOALS)),)
include $(B)/.setup
endif
$(B)/.setup: grader/setup
	@grader/setup --quiet cc cmocka jansson
setup:
	@grader/setup

# ---- the lab's programs: a library from core and run, one from grade and report, and the mains
NVCCFLAGS = -std=c++17 -O2 -g $(if $(CUDA_ARCH),-arch=$(CUDA_ARCH)) -Xcompiler -fPIC,-Wall
MAINS := runner stagecc bench count grade_all results_md gradebook report
INCLUDES := -Igrader/core -Igrader/run -Igrader/measure -Igrader/grade -Igrader/report -Igrader/model -Igrader/gpt2 $(addprefix -I,$(wildcard task[1-6]_*)) $(SETUP_CPPFLAGS)
BACKEND ?= $(if $(and $(wildcard /dev/nvidia0),$(shell command -v nvcc)),cuda,simt)
export LAB_BACKEND := $(BACKEND)
GPU := $(filter cuda,$(BACKEND))
export LAB_CHECKED
export CUDA_ARCH ?= $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | sed 's/\.//;s/^/sm_/')
objects = $(filter-out $(MAINS:%=$(B)/$(1)/%.o) %/claims.o %/memory_host.o,$(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c)))

$(B)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<
$(patsubst %,$(B)/grader/measure/%.o,ceilings bench bench_ceilings) $(B)/grader/tests/%.o $(B)/grader/gpt2/%.o: override CFLAGS += -fopenmp
$(B)/grader/core/%.o $(B)/grader/gpt2/%.o: override CFLAGS += -O3

$(B)/liblab.a: $(call objects,grader/core) $(call objects,grader/run) $(call objects,grader/measure)
# needs PCRE2, which few programs do
TOKENIZER := $(patsubst %,$(B)/grader/gpt2/%.o,bpe tokenizer utf8 vocab)  # with PCRE2, which few programs need
$(B)/libgpt2.a: $(filter-out $(TOKENIZER),$(call objects,grader/gpt2))
$(B)/libtokenizer.a: $(TOKENIZER)
$(B)/libgrade.a: $(call objects,grader/grade) $(call objects,grader/report)
$(B)/%.a:
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/bin/stagecc: $(B)/grader/run/stagecc.o $(B)/liblab.a
$(B)/bin/bench $(B)/bin/count: $(B)/bin/%: $(B)/grader/measure/%.o $(B)/liblab.a $(B)/libgpt2.a
$(B)/bin/runner: $(B)/grader/run/runner.o $(B)/grader/run/memory_host.o $(B)/liblab.a
$(B)/bin/runner_simt: $(B)/grader/run/runner.o grader/run/memory_device.cu $(B)/liblab.a | simt
	$(call say,LINK,$@)
	$(Q)grader/simt/simtcc -O2 -g $(INCLUDES) -o $@ $(filter-out simt,$^) -rdynamic
$(B)/bin/runner_simt_checked: $(B)/grader/run/runner.o grader/run/memory_device.cu $(B)/liblab.a | simt
	$(call say,LINK,$@)
	$(Q)grader/simt/simtcc --checked -O2 -g $(INCLUDES) -o $@ $(filter-out simt,$^) -rdynamic
$(B)/bin/runner_cuda: $(B)/grader/run/runner.o grader/run/memory_device.cu grader/run/device_fill.cu $(B)/liblab.a
	$(call say,LINK,$@)
	$(Q)nvcc $(NVCCFLAGS) $(INCLUDES) -o $@ $^ -ldl
$(TASKS:%=$(B)/bin/test_%): $(B)/bin/test_%: $(B)/grader/run/claims.o $(B)/liblab.a $(B)/libgpt2.a
$(B)/bin/grade_all: $(B)/grader/grade/grade_all.o $(B)/libgrade.a $(B)/liblab.a $(B)/libgpt2.a
$(B)/bin/results_md $(B)/bin/gradebook $(B)/bin/report: $(B)/bin/%: $(B)/grader/report/%.o $(B)/libgrade.a
$(B)/bin/grade_all: LDLIBS += -larchive
$(B)/bin/unit_%: LDLIBS += -larchive -lcmocka -lpcre2-8
$(B)/bin/test_%: LDLIBS += -lcmocka
$(B)/bin/%:
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(SETUP_LDFLAGS) $(LDLIBS) -ljansson -fopenmp -ldl -lm

# ---- CUDA on the CPU
include grader/simt/Makefile.inc

# ---- a language model around task 6
include grader/model/Makefile.inc

# ---- a student's stage: build/stage/TREE/taskN.so, compiled as the grader compiles it
flavour = $(if $(filter $(1),$(CUDA_TASKS)),$(if $(filter cuda,$(BACKEND)),.cuda)$(if $(LAB_CHECKED),.checked))
stage = $(B)/stage/$(subst /,+,$(1:./%=%))/$(2)$(call flavour,$(2)).so
runner = $(B)/bin/runner$(if $(filter $(1),$(CUDA_TASKS)),_$(BACKEND)$(if $(LAB_CHECKED),_checked))
RUNNERS := $(sort $(foreach t,$(TASKS),$(call runner,$t)))

REFERENCE = $(if $(SOLVED),$(foreach t,task4 task5,$(call stage,grader/solutions,$t)),$(B)/model/fallback_$(BACKEND)$(if $(LAB_CHECKED),_checked).so)
define task_rules
$(B)/bin/test_$(1): $(B)/$(call folder,$(1))/test_$(1).o
test-$(1) debug-$(1) bench-$(1) count-$(1): STAGE := $(call stage,$(IMPL),$(1))
test-$(1) debug-$(1) bench-$(1) count-$(1): $(call stage,$(IMPL),$(1))
endef
define stage_rule
$(call stage,$(2),$(1)): $(2)/$(call folder,$(1))/$(call source,$(1)) $(B)/grader/run/build.o | $(B)/bin/stagecc $(if $(filter $(1),$(CUDA_TASKS)),simt)
	$$(call say,STAGE,$$<)
	$(Q)mkdir -p $$(@D) && $(B)/bin/stagecc . $(1) $$< $$@
endef
$(foreach t,$(TASKS),$(eval $(call task_rules,$t)))
$(foreach t,$(TASKS),$(foreach i,$(sort $(IMPL:./%=%) grader/solutions),$(eval $(call stage_rule,$t,$i))))

# Task 6 is built from the kernels of tasks 4 and 5.
DRIVER = $(B)/model/model_$(BACKEND)$(if $(LAB_CHECKED),_checked).so
PARTS = $(foreach t,task4 task5,$(call stage,$(IMPL),$t))
CLAIMS = LAB_BUILD=$(B) LAB_TASK4=$(call stage,$(IMPL),task4) LAB_TASK5=$(call stage,$(IMPL),task5) LAB_STAGE=$(STAGE) LAB_RUNNER=$(call runner,$*) LAB_ONLY="$(ONLY)" LAB_XML=$(B)/log/$*.xml
test: $(SELECTED:%=test-%)
compile: $(foreach t,$(SELECTED),$(call stage,$(IMPL),$t))
test-task6 debug-task6: $(DRIVER) $(REFERENCE)
parts-%: ;
parts-task6:  # where they do not compile, the lab's stand in
	@$(MAKE) -s $(PARTS) || true
test-%: $(B)/bin/test_% $(RUNNERS) parts-%
	@mkdir -p $(B)/log && $(CLAIMS) $(B)/bin/test_$*
debug: $(SELECTED:%=debug-%)
debug-%: $(B)/bin/test_% $(RUNNERS) parts-%
	@echo "  The program stops where the lab calls your function: step enters it."
	@$(CLAIMS) LAB_TIMEOUT=100000 gdb -q -ex 'set breakpoint pending on' -ex 'set follow-fork-mode child' \
	    -ex 'break lab_call_function' -ex run --args $(B)/bin/test_$*
sanitize: $(SELECTED:%=sanitize-%)
sanitize-%:
	@$(if $(filter $*,$(CUDA_TASKS)),$(if $(GPU),$(MAKE) gpu-sanitize-$*,LAB_TIMEOUT=60 SIMT_TIMEOUT=60 $(MAKE) BACKEND=simt LAB_CHECKED=1 test-$*),echo "  SKIP     $* is C: sanitize is for the CUDA tasks")
hint: $(SELECTED:%=hint-%)
hint-%:
	@grader/hint $(call folder,$*)/hints.md "$(TODO)" $(LEVEL)
status:
	@for t in $(TASKS); do printf '%-7s' $$t; $(MAKE) -s test-$$t 2>&1 | grep -E 'claims hold|does not compile' | sed 's/^ *//'; done

include grader/measure/Makefile.inc
include grader/profile/Makefile.inc
include grader/demo/Makefile.inc

# ---- grading, and the lab's own tests
grade-tools: $(MAINS:%=$(B)/bin/%) $(RUNNERS) $(B)/bin/runner_simt $(B)/bin/runner_simt_checked $(TASKS:%=$(B)/bin/test_%) $(DRIVER) $(REFERENCE) $(if $(GPU),$(B)/bin/profile $(B)/bin/target) $(BASELINES) $(GPU_BASELINES) $(if $(SOLVED),$(TASK1))
grade:
	@[ -n "$(SOLVED)" ] || { echo "  the solutions are not in this tree; your own work: grader/grade_all ."; exit 1; }
	@grader/setup --quiet && grader/grade_all --out results grader/solutions
RESULTS ?= $(firstword $(shell ls -t results/*/results.json 2>/dev/null))
REPORT ?= report.md
report: $(B)/bin/report
	@[ -n "$(RESULTS)" ] || { echo "no results yet: grader/grade_all . writes them, then make report"; exit 1; }
	@[ -e $(REPORT) ] || cp report_template/report.md $(REPORT)
	@$(B)/bin/report $(RESULTS) $(REPORT)
check:
	@grader/setup --quiet && grader/tests/run
UNITS := $(patsubst grader/tests/%.c,$(B)/bin/%,$(wildcard grader/tests/unit_*.c)) $(B)/bin/mutants
.PHONY: check-tools
check-tools: grade-tools $(UNITS) $(B)/bin/profile $(B)/bin/sanitize $(B)/model/fallback_simt.so simt simt-test-tools
$(UNITS): $(B)/bin/%: $(B)/grader/tests/%.o $(B)/libtests.a $(B)/libgrade.a $(B)/liblab.a $(B)/libtokenizer.a $(B)/libgpt2.a
$(B)/libtests.a: $(filter-out $(UNITS:$(B)/bin/%=$(B)/grader/tests/%.o),$(call objects,grader/tests))

handout:
	@mkdir -p $(B) && tar -czf $(B)/attention-lab.tar.gz --exclude-vcs --exclude=./build --exclude=./results --exclude=./.ci \
	    --exclude='./grader/solutions/task*' --exclude=./grader/mutants --exclude=./grader/cheats --exclude='./grader/tests' --exclude=./grader/baselines/flash_simple.cu --exclude=./grader/profile/samples --exclude=./grader/profile/record.sh \
	    --exclude='./.[a-z]*' --transform 's,^\.,attention-lab,' . && echo "  $(B)/attention-lab.tar.gz"
figures:
	@grader/setup --quiet plots && $(or $(SETUP_PYTHON),python3) grader/figures/draw.py
clean:
	$(Q)rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
