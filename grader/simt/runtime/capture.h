// capture.h: what a stream takes down instead of doing it, for a graph (graph.cpp).
#ifndef SIMT_RUNTIME_CAPTURE_H
#define SIMT_RUNTIME_CAPTURE_H

#include <functional>
#include <vector>

#include "api.h"

#pragma GCC visibility push(hidden)
namespace simt {

// Whether `stream` takes its work down at present; then `work` is kept, and the caller returns.
bool captured(cudaStream_t stream, std::function<void()> work);
// What is called until the next collect(nullptr) is taken down there, whatever its stream: a node of a graph (graph_nodes.cpp).
void collect(std::vector<std::function<void()>> *work);
// The same for what orders streams.
bool captured_record(cudaStream_t stream, cudaEvent_t event);
bool captured_wait(cudaStream_t stream, cudaEvent_t event);
// What CUDA answers while a stream captures, and why in a line: to what cannot be taken down, and (stream 0) to what waits
// for all streams. cudaSuccess: nothing is captured here.
cudaError_t refused_while_capturing(cudaStream_t stream);

}  // namespace simt
#pragma GCC visibility pop
#endif
