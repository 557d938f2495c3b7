// api_stream.cpp: streams and events. Every operation is finished when its call returns, so streams have no queue and an
// event is a time stamp. Programs that order their work rightly see no difference.
#include "capture.h"

#include <chrono>
#include <set>

struct simt_stream {
    unsigned flags;
    int priority;
};

struct simt_event {
    unsigned flags;
    bool recorded;
    std::chrono::steady_clock::time_point time;
};

namespace simt {

static OwnSet<const void *> &handles() {
    static auto *set = own_new<OwnSet<const void *>>();
    return *set;
}

cudaError_t check_stream(cudaStream_t stream) {
    bool known =
        stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread || handles().count(stream);
    return known ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}

static cudaError_t check_event(cudaEvent_t event) {
    return event && handles().count(event) ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}

}  // namespace simt

using namespace simt;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    SIMT_API_ENTRY();
    SIMT_OUT(stream);
    if (!stream || flags > cudaStreamNonBlocking) return fail(cudaErrorInvalidValue);
    *stream = own_new(simt_stream{flags, priority > 0 ? 0 : priority < -5 ? -5 : priority});
    handles().insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    SIMT_OUT(stream);
    return cudaStreamCreateWithPriority(stream, 0, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    SIMT_OUT(stream);
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (!handles().erase(stream)) return fail(cudaErrorInvalidResourceHandle);
    own_delete(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    tell_synchronised();
    return check_stream(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    SIMT_API_ENTRY();
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    tell_synchronised();
    return check_stream(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (error || (error = check_event(event))) return error;
    return captured_wait(stream, event) ? cudaSuccess : refused_while_capturing(stream);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    SIMT_API_ENTRY();
    SIMT_OUT(priority);
    if (!priority || check_stream(stream))
        return fail(priority ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *priority = handles().count(stream) ? stream->priority : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    SIMT_API_ENTRY();
    SIMT_OUT(flags);
    if (!flags || check_stream(stream)) return fail(flags ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
    *flags = handles().count(stream) ? stream->flags : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue *value) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    return error ? error : value ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (error || !function) return error ? error : fail(cudaErrorInvalidValue);
    if (captured(stream, [=] { function(data); })) return cudaSuccess;
    function(data);
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned) {
    SIMT_API_ENTRY();
    cudaError_t error = check_stream(stream);
    if (error || !callback) return error ? error : fail(cudaErrorInvalidValue);
    if ((error = refused_while_capturing(stream))) return error;
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    SIMT_API_ENTRY();
    SIMT_OUT(event);
    if (!event || flags > 7) return fail(cudaErrorInvalidValue);
    *event = own_new(simt_event{flags, false, {}});
    handles().insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    SIMT_OUT(event);
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    SIMT_API_ENTRY();
    if (!event || !handles().erase(event)) return fail(cudaErrorInvalidResourceHandle);
    own_delete(event);
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    SIMT_API_ENTRY();
    if (check_stream(stream) || check_event(event)) return cudaErrorInvalidResourceHandle;
    event->recorded = !captured_record(stream, event);
    if (!event->recorded) return cudaSuccess;
    if (cudaError_t error = refused_while_capturing(stream)) return error;
    event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    SIMT_API_ENTRY();
    tell_synchronised();
    return check_event(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    SIMT_API_ENTRY();
    tell_synchronised();
    return check_event(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
    SIMT_API_ENTRY();
    SIMT_OUT(ms);
    if (!ms) return fail(cudaErrorInvalidValue);
    if (check_event(start) || check_event(end) || !start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
        return fail(cudaErrorInvalidResourceHandle);
    *ms = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
}
