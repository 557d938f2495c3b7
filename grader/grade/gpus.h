// gpus.h: the GPUs that a run may use.
#ifndef LAB_GPUS_H
#define LAB_GPUS_H

enum { LAB_MAX_GPUS = 16 };

// Identities (GPU-...) of this machine's GPUs, those in CUDA_VISIBLE_DEVICES where it is set. Returns how many; 0 when
// the driver does not answer.
int lab_gpus(char names[LAB_MAX_GPUS][64]);

#endif
