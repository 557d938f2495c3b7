// wide.h: groups of several blocks: the grid and the cluster. Included by cooperative_groups.h.
#ifndef SIMT_COOPERATIVE_GROUPS_WIDE_H
#define SIMT_COOPERATIVE_GROUPS_WIDE_H

namespace cooperative_groups {

// The grid; it can synchronise in a cooperative launch.
class grid_group {
public:
    static SIMT_MEMBER void sync() {
        simt_wide_arrive(1);
        simt_wide_wait(1);
    }
    struct arrival_token {};
    static SIMT_MEMBER arrival_token barrier_arrive() {
        simt_wide_arrive(1);
        return {};
    }
    static SIMT_MEMBER void barrier_wait(arrival_token &&) { simt_wide_wait(1); }
    static SIMT_MEMBER unsigned long long num_blocks() {
        return (unsigned long long)simt::grid_dim().x * simt::grid_dim().y * simt::grid_dim().z;
    }
    static SIMT_MEMBER unsigned long long num_threads() { return num_blocks() * details::threads_in_block(); }
    static SIMT_MEMBER unsigned long long size() { return num_threads(); }
    static SIMT_MEMBER unsigned long long block_rank() {
        return simt::block_idx().x +
               (unsigned long long)simt::grid_dim().x *
                   (simt::block_idx().y + (unsigned long long)simt::grid_dim().y * simt::block_idx().z);
    }
    static SIMT_MEMBER unsigned long long thread_rank() {
        return block_rank() * details::threads_in_block() + details::thread_rank_in_block();
    }
    static SIMT_MEMBER dim3 group_dim() { return simt::grid_dim(); }
    static SIMT_MEMBER dim3 dim_blocks() { return simt::grid_dim(); }
    static SIMT_MEMBER dim3 block_index() { return dim3(simt::block_idx()); }
    static SIMT_MEMBER bool is_valid() { return simt_is_cooperative(); }
};
SIMT_INLINE grid_group this_grid() { return grid_group(); }

// The blocks of a cluster, and each other's shared memory.
class cluster_group {
public:
    static SIMT_MEMBER void sync() {
        simt_wide_arrive(0);
        simt_wide_wait(0);
    }
    struct arrival_token {};
    static SIMT_MEMBER arrival_token barrier_arrive() {
        simt_wide_arrive(0);
        return {};
    }
    static SIMT_MEMBER void barrier_wait() { simt_wide_wait(0); }
    static SIMT_MEMBER void barrier_wait(arrival_token &&) { simt_wide_wait(0); }
    static SIMT_MEMBER dim3 dim_blocks() {
        simt_uint3 c = simt_cluster_dim();
        return dim3(c.x, c.y, c.z);
    }
    static SIMT_MEMBER unsigned num_blocks() {
        simt_uint3 c = simt_cluster_dim();
        return c.x * c.y * c.z;
    }
    static SIMT_MEMBER unsigned block_rank() { return simt_cluster_rank(); }
    static SIMT_MEMBER dim3 block_index() {
        simt_uint3 c = simt_cluster_dim();
        uint3 b = simt::block_idx();
        return dim3(b.x % c.x, b.y % c.y, b.z % c.z);
    }
    static SIMT_MEMBER unsigned num_threads() { return num_blocks() * details::threads_in_block(); }
    static SIMT_MEMBER unsigned size() { return num_threads(); }
    static SIMT_MEMBER unsigned thread_rank() {
        return block_rank() * details::threads_in_block() + details::thread_rank_in_block();
    }
    static SIMT_MEMBER dim3 dim_threads() {
        dim3 c = dim_blocks(), b = simt::block_dim();
        return dim3(c.x * b.x, c.y * b.y, c.z * b.z);
    }
    template <class T> static SIMT_MEMBER T *map_shared_rank(T *p, int rank) {
        return (T *)simt_map_shared((void *)p, (unsigned)rank);
    }
    static SIMT_MEMBER unsigned query_shared_rank(const void *p) { return (unsigned)simt_rank_of_shared(p); }
};
SIMT_INLINE cluster_group this_cluster() { return cluster_group(); }

}  // namespace cooperative_groups

#endif
