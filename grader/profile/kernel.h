// kernel.h: the numbers of one kernel, from the compiler or from the GPU's counters.
#ifndef LAB_PROFILE_KERNEL_H
#define LAB_PROFILE_KERNEL_H

#include <stddef.h>

typedef enum {
    LAB_REGISTERS,     // of a thread
    LAB_SPILL_BYTES,   // bytes that the compiler's spill instructions store and load, each counted once in the code
    LAB_STACK_BYTES,   // of a thread, in local memory
    LAB_SHARED_BYTES,  // of a block: static as the compiler reports it, static and dynamic as it was launched
    // from here on only from the counters; launches of one kernel in one call are added up
    LAB_SECONDS,
    LAB_DRAM_BYTES,  // read and written
    LAB_MEMORY_PCT,  // of the memory system's peak rate; percentages are means over the kernel's time
    LAB_SM_PCT,      // of the multiprocessors' peak rate
    LAB_OCCUPANCY_PCT,
    LAB_BANK_CONFLICTS,
    LAB_LOCAL_BYTES,  // moved to and from local memory: spills at work
    LAB_FLOPS,        // fp32 additions and multiplications that were executed; FMA is two
    LAB_N_FIELDS
} lab_field;

enum { LAB_KERNEL_NAME = 128, LAB_MAX_KERNELS = 64 };

typedef struct {
    char name[LAB_KERNEL_NAME];  // short: gemm<false, 4>
    double value[LAB_N_FIELDS];  // NAN: not known
} lab_kernel;

void lab_kernel_init(lab_kernel *kernel, const char *name);  // every value unknown

// The kernel of that name among n; NULL: there is none.
lab_kernel *lab_kernel_find(lab_kernel *kernels, int n, const char *name);

// From a mangled (or demangled) name to what the source says, without return type and parameters.
void lab_kernel_name(const char *name, char *text, size_t size);

#endif
