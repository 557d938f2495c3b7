// A kernel that moves what the best one must move, and computes nothing: each input is read once, the output is stored.
static __global__ void touch(float *O, const float *Q, const float *K, const float *V, int q, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < k) sum = K[i] + V[i];
    if (i < q) O[i] = Q[i] == sum + 1e30f ? 0.0f : O[i];
}
static attn_status launch_touch(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    const int q = s.batch * s.heads * s.seq_q * s.head_dim, k = s.batch * s.heads * s.seq_kv * s.head_dim;
    touch<<<((q > k ? q : k) + 63) / 64, 64, 0, stream>>>(O, Q, K, V, q, k);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
