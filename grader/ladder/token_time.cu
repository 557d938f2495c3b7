// token_time.cu: TTFT and TBT of GPT-2 124M, one sequence, for several sets of stages in turns, in one process:
//
//     token_time DRIVER.so MODEL PROMPT TOKENS NAME=TASK4.so,TASK5.so,TASK6.so ...
//
// A line of JSON each: medians over the rounds in milliseconds, and the largest difference of a logit from the first set's,
// over the tokens on which both agree. The clock is the host's, as a caller has it.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "driver.h"
#include "model.h"

enum { VOCABULARY = 50257, ROUNDS = 5, CHECKED = 24 };

struct set {
    std::string name;
    lab_stages stages;
    std::vector<double> ttft, tbt;
    std::vector<float> out;
};
static decltype(&lab_driver_call) driver;
static double began, last;
static std::vector<double> gaps;

static double now(void) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void emit(void *, int step, const int *, int) {
    const double t = now();
    step == 0 ? (void)(began = t - began) : gaps.push_back(t - last);
    last = t;
}
static double median(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    return x.empty() ? 0 : x[x.size() / 2];
}

// tensors: 0 out, 1 prompt, 2 its length, 3 sampling. columns: 1, or all logits behind each id.
static void generate(set &s, float *const *tensor, int prompt, int tokens, int columns) {
    lab_request r = {};
    strcpy(r.op, "generate");
    r.shape = {1, tokens, prompt, prompt + tokens, columns, 0};
    gaps.clear();
    began = now();
    const attn_status status = driver(&s.stages, &r, tensor, emit, NULL);
    if (status != ATTN_OK)
        printf("%s: status %d, %s\n", s.name.c_str(), status, cudaGetErrorString(cudaGetLastError())), exit(1);
}

static set load(char *argument) {
    set s = {std::string(argument, strchr(argument, '=')), {}, {}, {}, {}};
    void *object[3];
    char *file = strtok(strchr(argument, '=') + 1, ",");
    for (int i = 0; i < 3; i++, file = strtok(NULL, ","))
        if (!file || !(object[i] = dlopen(file, RTLD_NOW | RTLD_LOCAL))) printf("%s\n", dlerror()), exit(1);
    void **to[] = {(void **)&s.stages.flash,        (void **)&s.stages.append, (void **)&s.stages.decode,
                   (void **)&s.stages.decode_split, (void **)&s.stages.layer,  (void **)&s.stages.prepare,
                   (void **)&s.stages.step,         (void **)&s.stages.linear, (void **)&s.stages.prepare_prompts,
                   (void **)&s.stages.prompt};
    const char *const names[] = {"attn_flash",           "attn_cache_append",  "attn_decode",      "attn_decode_split",
                                 "attn_layer_forward",   "attn_prepare_steps", "attn_decode_step", "attn_linear",
                                 "attn_prepare_prompts", "attn_prompt_layers"};
    for (int i = 0; i < 10; i++) *to[i] = dlsym(object[i == 0 ? 0 : i < 4 ? 1 : 2], names[i]);
    return s;
}

static float difference(const set &a, const set &b) {
    float worst = 0;
    for (int t = 0; t < CHECKED; t++) {
        const float *x = &a.out[(size_t)t * (1 + VOCABULARY)], *y = &b.out[(size_t)t * (1 + VOCABULARY)];
        for (int i = 1; i <= VOCABULARY; i++) worst = fabsf(x[i] - y[i]) <= worst ? worst : fabsf(x[i] - y[i]);
        if (x[0] != y[0]) break;  // from here on they read different tokens
    }
    return worst;
}

int main(int argc, char **argv) {
    char why[512];
    void *object = argc > 5 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!object) return printf("%s\n", argc > 5 ? dlerror() : "see the top of token_time.cu"), 2;
    driver = (decltype(driver))dlsym(object, "lab_driver_call");
    if (((decltype(&lab_driver_open))dlsym(object, "lab_driver_open"))(argv[2], why, sizeof why)) return puts(why), 1;
    const int prompt = atoi(argv[3]), tokens = atoi(argv[4]);
    std::vector<set> sets;
    for (int i = 5; i < argc; i++) sets.push_back(load(argv[i]));

    float *tensor[LAB_MAX_TENSORS] = {};
    std::vector<int> ids(prompt);
    for (int i = 0; i < prompt; i++) ids[i] = (int)((unsigned)i * 2654435761u >> 8) % VOCABULARY;
    lab_sampling sampling = {};
    sampling.stop = -1;
    const size_t row = (1 + VOCABULARY) * sizeof(float),
                 bytes[] = {CHECKED * row + tokens * sizeof(float), prompt * sizeof(int), sizeof(int), sizeof sampling};
    for (int t = 0; t < 4; t++) cudaMalloc((void **)&tensor[t], bytes[t]);
    cudaMemcpy(tensor[1], ids.data(), bytes[1], cudaMemcpyHostToDevice);
    cudaMemcpy(tensor[2], &prompt, bytes[2], cudaMemcpyHostToDevice);
    cudaMemcpy(tensor[3], &sampling, bytes[3], cudaMemcpyHostToDevice);
    for (set &s : sets) {
        generate(s, tensor, prompt, CHECKED, 1 + VOCABULARY);
        s.out.resize(CHECKED * (1 + VOCABULARY));
        cudaMemcpy(s.out.data(), tensor[0], CHECKED * row, cudaMemcpyDeviceToHost);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (set &s : sets) {
            generate(s, tensor, prompt, tokens, 1);
            s.ttft.push_back(began);
            s.tbt.insert(s.tbt.end(), gaps.begin() + 3, gaps.end());  // the first steps are not recorded yet
        }
    for (set &s : sets)
        printf("{\"name\": \"%s\", \"prompt\": %d, \"ttft_ms\": %.4f, \"tbt_ms\": %.4f, \"tbt_p99_ms\": %.4f, "
               "\"largest_difference\": %.2g}\n",
               s.name.c_str(), prompt, 1e3 * median(s.ttft), 1e3 * median(s.tbt),
               1e3 * (std::sort(s.tbt.begin(), s.tbt.end()), s.tbt[s.tbt.size() * 99 / 100]), difference(s, sets[0]));
    return 0;
}
