// api_pool.cpp: memory pools. What a pool gives comes from cudaMalloc's memory, and goes back to it at once: none keeps any.
#include "../include/simt/api.h"
#include "api.h"

#include <set>

using namespace simt;

struct cudaMemPool {
    uint64_t release_threshold = 0, reuse[3] = {1, 1, 1};
};
static cudaMemPool default_pool;
// In memory that no guest writes: an address that it enters here, it could read and write by the attributes.
static OwnSet<cudaMemPool_t> &pools() {
    static auto *set = own_new<OwnSet<cudaMemPool_t>>();
    if (set->empty()) set->insert(&default_pool);
    return *set;
}
bool simt::is_pool(cudaMemPool_t pool) { return pools().count(pool) != 0; }

static uint64_t *attribute_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    if (!pools().count(pool)) return nullptr;
    if (attribute == cudaMemPoolAttrReleaseThreshold) return &pool->release_threshold;
    const int reuse = (int)attribute - (int)cudaMemPoolReuseFollowEventDependencies;
    return reuse >= 0 && reuse < 3 ? &pool->reuse[reuse] : nullptr;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    SIMT_API_ENTRY();
    SIMT_OUT(pool);
    if (!pool || device != 0) return fail(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *pool = &default_pool;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    SIMT_API_ENTRY();
    return device == 0 && pools().count(pool) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
    SIMT_API_ENTRY();
    SIMT_OUT(pool);
    if (!pool || !properties) return fail(cudaErrorInvalidValue);
    pools().insert(*pool = own_new<cudaMemPool>());
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    SIMT_API_ENTRY();
    if (pool == &default_pool || !pools().erase(pool)) return fail(cudaErrorInvalidValue);
    own_delete(pool);
    return cudaSuccess;
}

// Attributes that say how to keep memory are kept, and change nothing; reuse is int, the threshold 64 bits.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    SIMT_API_ENTRY();
    uint64_t *at = attribute_of(pool, attribute);
    if (!at || !value) return fail(cudaErrorInvalidValue);
    *at = attribute == cudaMemPoolAttrReleaseThreshold ? *(const uint64_t *)value : (uint64_t) * (const int *)value;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    SIMT_API_ENTRY();
    const uint64_t *at = attribute_of(pool, attribute);
    guest_writes(value, sizeof *at, __builtin_return_address(0), __func__);
    if (!at || !value) return fail(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = *at;
    else
        *(int *)value = (int)*at;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    SIMT_API_ENTRY();
    return pools().count(pool) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
