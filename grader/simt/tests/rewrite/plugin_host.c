// Loads a stage with dlopen and gives it device memory: one runtime serves both. Twice, with dlclose between.
#include <dlfcn.h>
#include <stdio.h>

#include <cuda_runtime.h>

static int try_once(const char *path) {
    int *device = NULL, host[64] = {0}, right = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*stage)(int *) = library ? (int (*)(int *))dlsym(library, "stage") : NULL;
    if (!stage) return printf("# %s\n", dlerror()), 0;
    cudaMalloc((void **)&device, sizeof host);
    int failed = stage(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(device);
    for (int i = 0; i < 64; i++) right += host[i] == 63 - i + 5;
    return dlclose(library) == 0 && !failed && right == 64;
}

int main(int argc, char **argv) {
    printf("%sok 1 - a stage loaded by dlopen runs on the runner's memory\n",
           argc > 1 && try_once(argv[1]) ? "" : "not ");
    printf("%sok 2 - and again after dlclose\n", argc > 1 && try_once(argv[1]) ? "" : "not ");
    return 0;
}
