// guest.h: what a stage reads after cuda_runtime.h. It is not told whether it is checked: it would behave well just there.
#undef SIMT_CHECKED
