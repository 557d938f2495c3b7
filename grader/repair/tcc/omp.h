// omp.h: OpenMP where nobody reads its directives: one thread.
#ifndef LAB_OMP_H
#define LAB_OMP_H

typedef struct {
    int held;
} omp_lock_t;

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_level(void) { return 1; }
static inline int omp_in_parallel(void) { return 1; }
static inline int omp_get_dynamic(void) { return 0; }
static inline void omp_set_dynamic(int dynamic) { (void)dynamic; }
static inline void omp_set_num_threads(int n) { (void)n; }
static inline void omp_set_nested(int nested) { (void)nested; }
static inline double omp_get_wtime(void) { return 0; }
static inline void omp_init_lock(omp_lock_t *lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t *lock) { lock->held = 0; }
static inline void omp_set_lock(omp_lock_t *lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { lock->held = 0; }

#endif
