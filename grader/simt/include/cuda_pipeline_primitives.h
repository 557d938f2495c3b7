// cuda_pipeline_primitives.h: the same as cuda_pipeline.h here.
#include "cuda_pipeline.h"
