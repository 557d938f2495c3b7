// pipeline.c: loads the driver and the stages of tasks 4 and 5 beside the one of task 6.
#include "pipeline.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "counts.h"

static lab_stages stages;
static __typeof__(lab_driver_call) *driver_call;

static void *load(const char *path) {
    lab_counts_call();  // as for the stage: the frames above are not its constructors'
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) fprintf(stderr, "%s\n", dlerror());
    return object;
}

int lab_pipeline_open(void *stage, char **arguments) {
    void *object[3];
    char why[512] = "";
    for (int i = 0; i < 3; i++)
        if (!arguments[i] || !(object[i] = load(arguments[i]))) return 0;
    if (!arguments[3]) return 0;
    __typeof__(lab_driver_open) *open = dlsym(object[0], "lab_driver_open");
    driver_call = dlsym(object[0], "lab_driver_call");
    if (driver_call) lab_counts_trust((const void *)driver_call);
    for (int i = 1; i < 3; i++)  // the lab's kernels, where they stand in for the student's (task6_kernels.c)
        if (strstr(arguments[i], "/model/fallback_") || strstr(arguments[i], "/stage/grader+solutions/"))
            lab_counts_trust(dlsym(object[i], i == 1 ? "attn_flash" : "attn_decode"));
    stages.flash = dlsym(object[1], "attn_flash");
    stages.append = dlsym(object[2], "attn_cache_append");
    stages.decode = dlsym(object[2], "attn_decode");
    stages.decode_split = dlsym(object[2], "attn_decode_split");
    if (arguments[4] && strcmp(arguments[4], "unsplit") == 0) stages.decode_split = NULL;
    stages.prepare = dlsym(stage, "attn_prepare_steps");
    stages.step = dlsym(stage, "attn_decode_step");
    stages.linear = dlsym(stage, "attn_linear");
    stages.prepare_prompts = dlsym(stage, "attn_prepare_prompts");
    stages.prompt = dlsym(stage, "attn_prompt_layers");
    if (!open || !driver_call || !stages.flash || !stages.append || !stages.decode)
        fprintf(stderr, "a function is missing in %s, %s or %s\n", arguments[0], arguments[1], arguments[2]);
    else if (open(arguments[3], why, sizeof why) == 0)
        return 1;
    fprintf(stderr, "%s\n", why);
    return 0;
}

attn_status lab_pipeline_call(void *layer, const lab_request *r, float *const tensor[LAB_MAX_TENSORS], lab_emit *emit,
                              void *context) {
    if (!driver_call) return LAB_NO_SYMBOL;
    stages.layer = layer;
    return driver_call(&stages, r, tensor, emit, context);
}
