# lab.mk: how the lab is built. Included by the Makefile, which has the commands; includes the rules of each room.
#
#     build/bin/          programs: runner*, claims, stagecc, bench, count, grade_all, ...
#     build/stage/TREE/   a student's stages, compiled as the grader compiles them
#     build/*.a           what the programs share
MAKEFLAGS += --no-builtin-rules --no-print-directory --keep-going
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SECONDARY:

B := build
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g1#         lines for a backtrace; all of -g takes a sixth longer
override CFLAGS += -std=gnu11 -Wall -Wextra -Werror=implicit-function-declaration
Q := $(if $(V),,@)
# The words of a step, in two columns. A printf would be a shell of its own for each of a thousand files.
blank :=
$(foreach w,AS CC,$(eval pad_$w := $$(blank)       $$(blank)))
$(foreach w,LINK NVCC,$(eval pad_$w := $$(blank)     $$(blank)))
pad_CXX := $(blank)      $(blank)
pad_MODEL := $(blank)    $(blank)
say = $(info $(blank)  $(1)$(or $(pad_$(1)),$(blank) $(blank))$(subst ",,$(2)))
# A folder that is there already costs no process.
there = { [ -d $(@D) ] || mkdir -p $(@D); }

# ---- the task table: task3 lives in task3_*/, with one source file
FOLDERS := $(patsubst %/,%,$(dir $(wildcard task[1-9]_*/task[1-9].h)))
TASKS := $(foreach f,$(FOLDERS),$(firstword $(subst _, ,$f)))
folder = $(wildcard $(1)_*)
# The file is the one of the table (core/tasks.c): {"task3", "task3_tiled_cpu", "tiled_cpu.c", ... What else lies in its
# folder, such as a copy of yesterday, is not looked at.
comma := ,
TASK_TABLE := $(subst "$(comma) ",/,$(file <grader/core/tasks.c))
source = $(word 3,$(subst /, ,$(filter {"$(1)/%,$(TASK_TABLE))))
# With a word that is none (`make taks1 test`, `make task1 tset`) nothing is done: make says which. The lab's own goals
# have a - . or / in them.
own_goal = $(findstring -,$1)$(findstring .,$1)$(findstring /,$1)
WORDS := $(foreach g,$(MAKECMDGOALS),$(if $(call own_goal,$g),,$g))
MISSPELT := $(filter-out $(TASKS) $(VERBS) $(COMMANDS) simt,$(WORDS))
NAMED := $(if $(MISSPELT),,$(filter $(TASKS),$(MAKECMDGOALS)))
SELECTED := $(if $(MISSPELT),,$(or $(NAMED),$(TASKS)))
CUDA_TASKS := $(foreach t,$(TASKS),$(if $(filter %.cu,$(call source,$t)),$t))
SOLVED := $(if $(wildcard grader/solutions/task*),grader/solutions)#                  empty in a handout

# ---- set-up: what was found stands in build/.setup, a makefile of its own
ifneq ($(filter-out help clean setup handout gradescope autolab,$(MAKECMDGOALS)),)
include $(B)/.setup
endif
$(B)/.setup: grader/setup
	@grader/setup --quiet --tcc cc cmocka jansson seccomp

# ---- backends: the flavour of what is built for CUDA tasks is simt, simt_checked or cuda
BACKEND ?= $(if $(and $(wildcard /dev/nvidia0),$(shell command -v nvcc)),cuda,simt)
export LAB_BACKEND := $(BACKEND)
export LAB_CHECKED
GPU := $(filter cuda,$(BACKEND))
ifndef CUDA_ARCH#             asked once: make would ask again for every line that it runs
CUDA_ARCH := $(if $(wildcard /dev/nvidia0),$(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader \
                 2>/dev/null | head -n 1 | sed 's/\.//;s/^/sm_/'))
endif
export CUDA_ARCH
FLAVOUR := $(BACKEND)$(if $(LAB_CHECKED),_checked)
NVCCFLAGS = -std=c++17 -O2 -g $(if $(CUDA_ARCH),-arch=$(CUDA_ARCH)) -Xcompiler -fPIC,-Wall
device_cc_simt = grader/simt/simtcc -O2 -g -fPIC
device_cc_simt_checked = grader/simt/simtcc --checked -O2 -g -fPIC
device_cc_cuda = nvcc $(NVCCFLAGS)

# ---- the lab's programs: libraries from the rooms, and the mains
MAINS := runner guarded_runner claims stagecc edits bench count grade_all earns report export
DIAGNOSE := core/diagnose $(addprefix core/diagnose/,rows online softmax sums heads cache)
ROOMS := core $(DIAGNOSE) source run repair values claims measure grade report export model gpt2
INCLUDES := $(ROOMS:%=-Igrader/%) $(addprefix -I,$(wildcard task[1-9]_*)) $(SETUP_CPPFLAGS)
objects = $(filter-out $(MAINS:%=$(B)/$(1)/%.o) %/memory_host.o,\
                       $(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c)))

$(B)/%.o: %.c
	$(call say,CC,$<)
	$(Q)$(there) && $(CC) $(CFLAGS) $(INCLUDES) -MMD -MP -c -o $@ $<
$(B)/grader/measure/ceilings.o $(B)/grader/tests/%.o $(B)/grader/gpt2/%.o: override CFLAGS += -fopenmp
diagnosing = $(patsubst grader/%.c,%,$(foreach f,$1,$(wildcard grader/core/diagnose/*/$f.c)))
# What runs for milliseconds is to compile fast: a student waits for the first test, make check for all. What fills,
# multiplies and compares tensors is to run fast.
$(foreach r,core source run repair values claims gpt2 grade report export profile,\
    $(eval $(B)/grader/$r/%.o: override CFLAGS += -O1))
$(foreach f,$(addprefix core/,check inputs layer op_attention op_gemm op_heads op_mha oracle) gpt2/gpt2_oracle \
    $(call diagnosing,approximated attention chain_fits dims divisor fold_rows gemm_batches kept_scores neighbours \
                               online online_joins online_steps online_tiles other_weights part_joins part_walks \
                               part_weights parts reductions summed_scores tile_pooled tile_rows tile_shared \
                               transposed unscored walk wrong_rows), \
    $(eval $(B)/grader/$f.o: override CFLAGS += -O3))
# A claim that no table of its suite names is never asked.
$(B)/grader/tests/%.o: override CFLAGS += -O0 -Werror=unused-function
$(B)/grader/report/class_assets.o: grader/report/class.css grader/report/class.js
$(B)/grader/core/%.o: override CFLAGS += -Wno-unused-parameter#            rows of a table share signatures

TOKENIZER := $(patsubst %,$(B)/grader/%.o,gpt2/bpe gpt2/tokenizer gpt2/vocab core/text)# needs PCRE2
BASE := $(foreach r,core $(DIAGNOSE) source run repair values claims,$(call objects,grader/$r))
$(B)/libbase.a: $(BASE)#                                                all that a test needs
$(B)/liblab.a: $(BASE) $(call objects,grader/measure)
$(B)/libgpt2.a: $(filter-out $(TOKENIZER),$(call objects,grader/gpt2))
$(B)/libtokenizer.a: $(TOKENIZER)
$(B)/libgrade.a: $(call objects,grader/grade) $(call objects,grader/report)
$(B)/%.a:
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/bin/stagecc: $(B)/grader/run/stagecc.o $(B)/libbase.a
$(B)/bin/edits: $(patsubst %.c,$(B)/%.o,$(wildcard grader/repair/edits/*.c grader/repair/edits/*/*.c))
$(B)/grader/repair/edits/%.o: override CFLAGS += -Igrader/repair/edits
$(B)/bin/edits: $(filter-out %/main.o,$(patsubst grader/%.c,$(B)/%.o,$(wildcard grader/simt/rewrite/*.c)))
# What runs changes that are data is linked to the file that has them (grader/repair/hooks).
$(B)/bin/edits: | $(B)/bin/edits_hooks.o
$(B)/grader/repair/hooks/%.o: override CFLAGS += -O2 -fPIC -fvisibility=hidden
$(B)/bin/edits_hooks.o: $(patsubst %.c,$(B)/%.o,$(wildcard grader/repair/hooks/*.c))
	$(Q)mkdir -p $(@D) && $(CC) -r -nostdlib -o $@ $^
$(B)/bin/bench $(B)/bin/count: $(B)/bin/%: $(B)/grader/measure/%.o $(B)/liblab.a $(B)/libgpt2.a
$(B)/bin/runner: $(B)/grader/run/runner.o $(B)/grader/run/memory_host.o $(B)/libbase.a
$(B)/bin/guarded_runner: $(patsubst %,$(B)/grader/run/%.o,guarded_runner runner memory_host) $(B)/libbase.a
$(B)/bin/claims: $(B)/grader/claims/claims.o $(B)/libbase.a $(B)/libgpt2.a
$(B)/bin/grade_all: $(B)/grader/grade/grade_all.o $(B)/libgrade.a $(B)/liblab.a $(B)/libgpt2.a
$(B)/bin/earns: $(B)/grader/grade/earns.o $(B)/libgrade.a $(B)/liblab.a
$(B)/bin/report: $(B)/grader/report/report.o $(B)/libgrade.a $(B)/liblab.a
$(B)/bin/export: $(patsubst %.c,$(B)/%.o,$(wildcard grader/export/*.c)) $(B)/libgrade.a $(B)/liblab.a
$(B)/bin/grade_all: LDLIBS += -larchive -lseccomp
$(B)/bin/runner $(B)/bin/guarded_runner: LDLIBS += -lseccomp
$(B)/bin/unit_% $(B)/bin/units: LDLIBS += -larchive -lseccomp -lcmocka -lpcre2-8
$(B)/bin/claims: LDLIBS += -lcmocka
# Replaced at once: the program may be in use.
$(B)/bin/%:
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(CFLAGS) -o $@.new $(filter %.o,$^) $(filter %.a,$^) $(SETUP_LDFLAGS) $(LDLIBS) \
	    -ljansson -fopenmp -ldl -lm && mv $@.new $@
# A stage that writes where it should not finds no table of functions to change.
READ_ONLY_TABLES := -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack
$(B)/bin/runner: LDLIBS += $(READ_ONLY_TABLES)

# The runner of CUDA tasks, in three flavours.
$(B)/bin/runner_simt: | simt-fast
$(B)/bin/runner_simt_checked: | simt
$(B)/bin/runner_%: $(B)/grader/run/runner.o grader/run/memory_device.cu grader/run/device_fill.cu $(B)/libbase.a
	$(call say,LINK,$@)
	$(Q)$(device_cc_$*) $(INCLUDES) -o $@.new $(filter %.o %.cu %.a,$^) $(SETUP_LDFLAGS) -lseccomp -ldl \
	    $(READ_ONLY_TABLES) && mv $@.new $@

# ---- a student's stage: build/stage/TREE/taskN.so, compiled as the grader compiles it; with DEBUG, for gdb
STAGECC = $(B)/bin/stagecc $(DEBUG:%=--plain)
variant = $(if $(filter $(1),$(CUDA_TASKS)),$(if $(GPU),.cuda)$(if $(LAB_CHECKED),.checked))$(DEBUG:%=.debug)
stage = $(B)/stage/$(subst /,+,$(1:./%=%))/$(2)$(call variant,$(2)).so
runner = $(B)/bin/runner$(if $(filter $(1),$(CUDA_TASKS)),_$(FLAVOUR))
# A wrong answer under simt is looked at once more in checked mode; claims builds this runner when it first needs it.
checked_runner = $(if $(filter simt,$(FLAVOUR)),$(if $(filter $(1),$(CUDA_TASKS)),$(B)/bin/runner_simt_checked))
RUNNERS := $(sort $(foreach t,$(TASKS),$(call runner,$t)))

# The file that a student writes; where it is not there, a target that says so. (What is only absent would leave the
# stage as it was.)
written = $(or $(wildcard $(1)/$(call folder,$(2))/$(call source,$(2))),missing-$(2))
beside = $(notdir $(wildcard $(IMPL)/$(call folder,$(1))/*.c $(IMPL)/$(call folder,$(1))/*.cu))
.PHONY: $(TASKS:%=missing-%)
$(TASKS:%=missing-%): missing-%:
	@echo "  there is no $(patsubst ./%,%,$(IMPL)/$(call folder,$*)/$(call source,$*)), the file that you write$(if \
	    $(call beside,$*),; there is $(call beside,$*))" >&2; exit 1

# The probe around the file (grader/probes), for the claims of single TODOs. A test of both compiles them at once:
# then there is PROBE.so.made, and the probe's own recipe has nothing to do. A mark that is older than what the probe is
# made of is that of an earlier test: since then the stage was built without its probe, as a diagnosis or task 6 does.
probe = $(if $(wildcard grader/probes/$(2).c grader/probes/$(2).cu),$(patsubst %.so,%.probe.so,$(call stage,$(1),$(2))))
define stage_rules
test-$(1) gdb-$(1) time-$(1) count-$(1): STAGE := $(call stage,$(IMPL),$(1))
test-$(1) gdb-$(1) time-$(1) count-$(1): $(call stage,$(IMPL),$(1))
test-$(1) gdb-$(1): $(call runner,$(1))
endef
define stage_rule
$(call stage,$(2),$(1)): $(call written,$(2),$(1)) $(B)/grader/run/build.o \
        | $(B)/bin/stagecc $(if $(filter $(1),$(CUDA_TASKS)),simt$(if $(LAB_CHECKED),,-fast))
	$$(call say,Compiling,$$<)
	$(Q)mkdir -p $$(@D) && $(STAGECC) $$(patsubst %,--with %,$$(filter $$(@:.so=.probe.so),$$(PROBE))) . $(1) $$< $$@
endef
define probe_rule
test-$(1) gdb-$(1): PROBE := $(call probe,$(IMPL),$(1))
test-$(1) gdb-$(1): $(call probe,$(IMPL),$(1))
$(call probe,$(IMPL),$(1)): $(call written,$(IMPL),$(1)) $(wildcard grader/probes/$(1).*) \
        $(call stage,$(IMPL),$(1))
	$(Q)if [ -e $$@.made ] && [ -e $$@ -o -e $$@.txt ] && \
	    [ -z "$$$$(find $$(filter-out %.so,$$^) -newer $$@.made)" ]; then rm $$@.made; \
	else $(STAGECC) --probe . $(1) $$< $$@; fi
endef
$(foreach t,$(TASKS),$(eval $(call stage_rules,$t)))
$(foreach t,$(TASKS),$(if $(call probe,$(IMPL),$t),$(eval $(call probe_rule,$t))))
$(foreach t,$(TASKS),$(foreach i,$(sort $(IMPL:./%=%) grader/solutions),$(eval $(call stage_rule,$t,$i))))

# Task 6 is built from the kernels of tasks 4 and 5. Where they do not compile, the lab's stand in.
DRIVER = $(B)/model/model_$(FLAVOUR).so
PARTS = $(foreach t,task4 task5,$(call stage,$(IMPL),$t))
PARTS_THERE = $(strip $(foreach t,task4 task5,\
    $(if $(wildcard $(IMPL)/$(call folder,$t)/$(call source,$t)),$(call stage,$(IMPL),$t))))
REFERENCE = $(if $(SOLVED),$(foreach t,task4 task5,$(call stage,grader/solutions,$t)),$(B)/model/fallback_$(FLAVOUR).so)
test-task6 gdb-task6: $(DRIVER) $(REFERENCE)
parts-%: ;
parts-task6: $(REFERENCE)  # both may name the same file, which only one make is to build
	@$(if $(PARTS_THERE),$(MAKE) -s $(PARTS_THERE) || true,:)

# After a failure the lab looks for one change of the file that mends it (grader/repair). REPAIR=change says the change,
# REPAIR=line its line alone, REPAIR=no does not look.
REPAIR ?= change
repair_change := --edits $(B)/bin/edits
repair_line := --edits $(B)/bin/edits --line-only

# On a GPU the same claims are tried under simt, too, when one has failed: there the lab looks at every line.
SECOND_LOOK = env -u MAKEFLAGS -u MAKELEVEL $(MAKE) -s -f Makefile BACKEND=simt IMPL=$(IMPL) REPAIR=$(REPAIR) \
              ONLY="$(ONLY)" test-$*
second_look = --second-look '$(SECOND_LOOK)' --second-runner $(B)/bin/runner_simt

CLAIMS = $(B)/bin/claims $* --stage $(STAGE) --runner $(call runner,$*) --build $(B) $(PARTS:%=--part %) \
         $(if $(DEBUG),,$(patsubst %,--checked-runner %,$(call checked_runner,$*))) \
         $(if $(or $(DEBUG),$(LAB_CHECKED),$(GPU)),,$(repair_$(REPAIR))) \
         $(if $(PROBE),$(if $(DEBUG),$(ONLY:%=--probe $(PROBE)),--probe $(PROBE)) \
             --source $(IMPL)/$(call folder,$*)/$(call source,$*)) --only "$(ONLY)" \
         $(if $(DEBUG),,$(if $(GPU),$(if $(filter $*,$(CUDA_TASKS)),$(second_look)))) \
         $(if $(LAB_WHY),--results $(LAB_WHY),--xml $(B)/log/$*.xml) --timeout $(or $(LAB_TIMEOUT),10) \
         --seed-fd 3 3<<<"$${LAB_SEED:-1}"
# What claims builds when it first needs it is brought up to date once it is there.
test-%: $(B)/bin/claims parts-% $(wildcard $(B)/bin/edits $(B)/bin/guarded_runner)
	@mkdir -p $(B)/log && $(if $(ONLY),,cksum <$(IMPL)/$(call folder,$*)/$(call source,$*) >$(STAGE:.so=.tested) &&) \
	    $(CLAIMS) --summary $(STAGE:.so=.summary)
gdb-%: LAB_TIMEOUT = 100000
debug-%: # a kernel, too, runs on the CPU: gdb stops in no thread of a GPU
	@$(MAKE) $(if $(filter $*,$(CUDA_TASKS)),BACKEND=simt) DEBUG=1 gdb-$*
test-% gdb-%: ONLY := $(or $(ONLY),$(TODO))
gdb-%: $(B)/bin/claims parts-%
	@grader/debug $(IMPL)/$(call folder,$*)/$(call source,$*) $(STAGE) "$(TODO)" $(CLAIMS) || true
CHECKED_TEST = LAB_TIMEOUT=60 $(MAKE) BACKEND=simt LAB_CHECKED=1 test-
sanitize-%:
	@$(if $(filter $*,$(CUDA_TASKS)),$(if $(GPU),$(MAKE) gpu-sanitize-$*,$(CHECKED_TEST)$*), \
	    echo "  SKIP     $* is C: sanitize is for the CUDA tasks")

# ---- the first test: what it needs is built beforehand, on all processors. So is what the makes need that sanitize,
# bench, lines, picture and profile start (`count-task4`), and what demo starts.
JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(nproc))
STEPS := $(foreach v,test time count count-lines draw-picture show-profile gpu-sanitize,$(TASKS:%=$v-%))
STEP := $(if $(filter 1,$(words $(MAKECMDGOALS))),$(filter $(STEPS),$(MAKECMDGOALS)))
ABOUT := $(or $(if $(filter-out $(TASKS) test debug,$(MAKECMDGOALS)),,$(NAMED)),$(lastword $(subst -, ,$(STEP))))
# On a GPU, too, simt reads a file before it is compiled.
READS_GUESTS := $(patsubst %,$(B)/simt/%,simt-rewrite libsimt.so prelude-O2.h prelude-Og.h)
tools_test := $(B)/bin/claims $(foreach t,$(ABOUT),$(call runner,$t)) \
              $(if $(filter task6,$(ABOUT)),$(DRIVER) $(if $(SOLVED),,$(REFERENCE))) \
              $(if $(GPU),$(if $(filter $(ABOUT),$(CUDA_TASKS)),$(READS_GUESTS)))
tools_time := $(patsubst %,$(B)/bin/%,bench earns runner $(if $(GPU),runner_cuda)) \
              $(B)/baselines/null.so $(B)/baselines/plain.so
tools_count := $(B)/bin/count $(B)/bin/earns $(B)/bin/runner_simt_checked
tools_count-lines := $(B)/bin/lines $(B)/bin/target_simt_checked
tools_draw-picture := $(B)/bin/picture $(B)/bin/target_simt_checked
tools_show-profile := $(B)/bin/profile $(if $(GPU),$(B)/bin/target)
tools_gpu-sanitize := $(B)/bin/sanitize $(B)/bin/target
TOOLS := $(if $(ABOUT),$(B)/bin/stagecc $(tools_$(or $(patsubst %-$(ABOUT),%,$(STEP)),test))) \
         $(if $(filter demo-run,$(MAKECMDGOALS)),$(B)/bin/stagecc $(B)/bin/demo $(call runner,task6) $(DRIVER))
MISSING := $(filter-out $(wildcard $(TOOLS)),$(TOOLS))
ifneq ($(MISSING),)
include $(B)/.tools
$(B)/.tools: always
	@mkdir -p $(B)/log; flock -n $(B)/log/build.lock true || echo '  another make builds the lab; this one waits for it'
	@flock $(B)/log/build.lock $(MAKE) -f Makefile $(JOBS) $(MISSING) | grader/building; \
	    [ $${PIPESTATUS[0]} = 0 ] && touch $@
.PHONY: always
endif

# ---- the rooms' own rules
include grader/simt/Makefile.inc grader/model/Makefile.inc grader/measure/Makefile.inc
include grader/profile/Makefile.inc grader/demo/Makefile.inc
# What an older simtcc compiled may not fit simt as it is now.
$(if $(GPU),,$(foreach t,$(CUDA_TASKS),$(foreach i,$(sort $(IMPL:./%=%) grader/solutions), \
    $(eval $(call stage,$i,$t): $(SIMT_READ) $(SIMT_REWRITE)))))
$(foreach f,simt simt_checked,$(B)/bin/runner_$f $(B)/model/model_$f.so $(B)/model/fallback_$f.so) \
    $(B)/bin/target_simt_checked: $(SIMT_READ) $(SIMT_REWRITE)

# ---- grading, and the lab's own tests
RESULTS ?= $(firstword $(shell ls -t results/*/results.json 2>/dev/null))
REPORT ?= report.md
.PHONY: grade-tools checked-tools check-tools
grade-tools: $(MAINS:%=$(B)/bin/%) $(RUNNERS)
# What looks for races, on the processor. With a GPU grade_all goes on where it does not build.
CHECKED_TOOLS := $(B)/bin/runner_simt_checked $(B)/model/model_simt_checked.so $(B)/model/fallback_simt_checked.so
checked-tools: $(B)/bin/runner_simt $(CHECKED_TOOLS)
grade-tools: $(if $(GPU),,checked-tools)
grade-tools: $(DRIVER) $(REFERENCE) $(if $(GPU),$(B)/bin/profile $(B)/bin/target) $(BASELINES) $(GPU_BASELINES)
# Unit tests are one program that is linked once: by the name of it that is called it knows which one is meant
# (grader/tests/units.c). Alone are those that bring functions of their own in place of the lab's, or need other files.
ALL_UNITS := $(patsubst grader/tests/%.c,%,$(wildcard grader/tests/unit_*.c))
UNITS_ALONE := $(addprefix unit_,ahead demo profile prove search unseen)
UNITS_TOGETHER := $(filter-out $(UNITS_ALONE),$(ALL_UNITS))
UNITS := $(patsubst %,$(B)/bin/%,units $(UNITS_ALONE) mutants cheats class_mix)
check-tools: grade-tools checked-tools $(UNITS) $(UNITS_TOGETHER:%=$(B)/bin/%) \
    $(B)/bin/profile $(B)/bin/sanitize $(B)/model/fallback_simt.so
check-tools: simt simt-test-tools
check-tools: $(B)/bin/picture $(B)/bin/target_simt_checked
$(B)/bin/units: $(UNITS_TOGETHER:%=$(B)/grader/tests/%.o)
$(UNITS): $(B)/bin/%: $(B)/grader/tests/%.o $(B)/libtests.a $(B)/libgrade.a $(B)/liblab.a $(B)/libtokenizer.a
$(UNITS): $(B)/libgpt2.a
$(UNITS_TOGETHER:%=$(B)/grader/tests/%.o): override CFLAGS += -Dmain=$(@F:.o=)_main
$(UNITS_TOGETHER:%=$(B)/grader/tests/%.o): grader/tests/units.c
$(B)/grader/tests/units.o: $(B)/tests/units.inc
$(B)/grader/tests/units.o: override CFLAGS += -I$(B)/tests
$(B)/tests/units.inc: grader/tests grader/lab.mk
	$(Q)mkdir -p $(@D) && printf 'UNIT(%s)\n' $(UNITS_TOGETHER) >$@
# Not a link to a name: a sandbox shows a program by its one name.
$(UNITS_TOGETHER:%=$(B)/bin/%): $(B)/bin/units
	$(Q)ln -f $< $@
# Programs of make check-gpu.
$(B)/bin/gpu_fill: grader/run/device_fill.cu
$(B)/bin/gpu_decode: grader/ladder/12_decode/decode.cu
$(B)/bin/gpu_decode: CUDA_ARCH = sm_90a
$(B)/bin/gpu_decode: INCLUDES += -Igrader/ladder -Igrader/ladder/12_decode
$(B)/bin/gpu_%: grader/tests/gpu_%.cu $(B)/liblab.a
	$(call say,NVCC,$<)
	$(Q)mkdir -p $(@D) && nvcc $(NVCCFLAGS) $(INCLUDES) -o $@ $(filter %.cu,$^) $(filter %.a,$^) \
	    $(SETUP_LDFLAGS) -ljansson -ldl -lgomp
$(B)/libtests.a: $(filter-out $(patsubst %,$(B)/grader/tests/%.o,$(ALL_UNITS) units mutants cheats class_mix),\
                     $(call objects,grader/tests))

-include $(shell find $(B) -name '*.d' 2>/dev/null)
