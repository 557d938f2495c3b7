// capture.cpp: streams that take their work down for a CUDA graph.
//
// While a stream captures, its calls are taken down in the order in which the program makes them. That is an order in which
// they may run: an event is recorded before a stream waits for it.
// Which work of other streams the first one has waited for is a clock per stream: how many calls of each it has behind it.
#include "capture.h"

#include <map>

#include "graph.h"

using namespace simt;

namespace {
typedef std::map<cudaStream_t, size_t> Clock;
struct Capture {
    cudaStream_t origin;
    Work work;
    std::map<cudaStream_t, Clock> clocks;  // of the streams that capture, the origin's first
    std::map<cudaEvent_t, Clock> events;
    bool failed = false;
};
}  // namespace

static Capture *capture;  // one at a time
static Work *collected;   // of a node that is made

void simt::collect(Work *work) { collected = work; }

static bool captures(cudaStream_t stream) { return capture && capture->clocks.count(stream); }

bool simt::captured(cudaStream_t stream, std::function<void()> work) {
    if (collected) {
        collected->push_back(std::move(work));
        return true;
    }
    if (!captures(stream)) return false;
    capture->work.push_back(std::move(work));
    capture->clocks[stream][stream]++;
    return true;
}

bool simt::captured_record(cudaStream_t stream, cudaEvent_t event) {
    if (capture) capture->events.erase(event);
    if (!captures(stream)) return false;
    capture->events[event] = capture->clocks[stream];
    return true;
}

bool simt::captured_wait(cudaStream_t stream, cudaEvent_t event) {
    if (!capture || !capture->events.count(event)) return false;
    Clock &behind = capture->clocks[stream];
    for (auto &[other, calls] : capture->events[event]) behind[other] = std::max(behind[other], calls);
    return true;
}

cudaError_t simt::refused_while_capturing(cudaStream_t stream) {
    const bool all = stream == nullptr || stream == cudaStreamLegacy;
    if (!capture || (!all && !captures(stream))) return cudaSuccess;
    capture->failed = true;
    complain(
        all ? "a call that waits for all streams, or runs in stream 0, while a stream captures: a GPU refuses it"
            : "this call cannot be captured for a graph: simt takes down launches, cudaMemcpyAsync, cudaMemsetAsync, "
              "host functions and events");
    return fail(all ? cudaErrorStreamCaptureImplicit : cudaErrorStreamCaptureUnsupported);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    SIMT_API_ENTRY();
    guest_has_none("CUDA graphs", __builtin_return_address(0));
    if (cudaError_t error = check_stream(stream)) return error;
    if (stream == nullptr || stream == cudaStreamLegacy) return fail(cudaErrorStreamCaptureUnsupported);
    if (capture) complain("cudaStreamBeginCapture: simt captures one stream, and those that join it, at a time");
    if (capture) return fail(cudaErrorNotSupported);
    capture = new Capture{stream, {}, {}, {}};
    capture->clocks[stream];
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    SIMT_API_ENTRY();
    if (!graph || !captures(stream)) return fail(graph ? cudaErrorIllegalState : cudaErrorInvalidValue);
    if (stream != capture->origin) return fail(cudaErrorStreamCaptureUnmatched);
    Capture *const ended = capture;
    capture = nullptr;
    bool joined = true;
    for (auto &[other, clock] : ended->clocks) joined = joined && ended->clocks[stream][other] == clock[other];
    const cudaError_t error = ended->failed ? cudaErrorStreamCaptureInvalidated
                              : joined      ? cudaSuccess
                                            : cudaErrorStreamCaptureUnjoined;
    *graph = nullptr;
    if (!error) {
        cudaGraphCreate(graph, 0);
        std::vector<simt_graph_node *> last;  // the program's order is the one that is known to be right
        for (auto &work : ended->work) last = {add_node(*graph, {std::move(work)}, last)};
    }
    delete ended;
    return error ? fail(error) : cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
    SIMT_API_ENTRY();
    SIMT_OUT(status);
    if (!status) return fail(cudaErrorInvalidValue);
    *status = !captures(stream) ? cudaStreamCaptureStatusNone
              : capture->failed ? cudaStreamCaptureStatusInvalidated
                                : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}
