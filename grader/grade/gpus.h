// gpus.h: the GPUs that a run may use.
#ifndef LAB_GPUS_H
#define LAB_GPUS_H

enum { LAB_MAX_GPUS = 16 };

// Identities (GPU-...) of this machine's GPUs, those in CUDA_VISIBLE_DEVICES where it is set. Returns how many; 0 when
// the driver does not answer.
int lab_gpus(char names[LAB_MAX_GPUS][64]);

// Does this process's GPU (CUDA_VISIBLE_DEVICES) work? A process of the lab's own asks it.
int lab_gpu_works(void);

// The GPU with the fewest users among those that are not lost; among all of them when all are. A lost GPU fails at
// once: who counted users alone would send it one submission after another.
int lab_gpu_to_use(const int *users, const int *lost, int n);

#endif
