// memory.h: loads and stores with a cache hint: plain ones here.
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "vector_types.h"

template <class T> SIMT_INLINE T __ldg(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldca(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldcg(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldcs(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldlu(const T *p) { return *p; }
template <class T> SIMT_INLINE T __ldcv(const T *p) { return *p; }
template <class T, class V> SIMT_INLINE void __stwb(T *p, V value) { *p = value; }
template <class T, class V> SIMT_INLINE void __stcg(T *p, V value) { *p = value; }
template <class T, class V> SIMT_INLINE void __stcs(T *p, V value) { *p = value; }
template <class T, class V> SIMT_INLINE void __stwt(T *p, V value) { *p = value; }

#endif
