// launch.h: what kernel<<<grid, block, bytes, stream>>>(arguments) becomes:
//
//     simt::kernel(simt_site{"kernel", "a.cu", 7}, kernel).on(grid, block, bytes, stream)(arguments)
//
// and, at its end, what a __device__ or __constant__ variable announces itself with. Needs dim3 and cudaStream_t.
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <type_traits>
#include <utility>

#include "../../runtime/abi.h"

namespace simt {

// An argument as the launch keeps it: a copy; of a parameter `T &`, as nvcc takes it, the address; of a class with a
// copy constructor or destructor of its own the bytes. Such an object is made and destroyed by the host alone, as on a
// GPU.
template <class T> struct reference {
    T *at;
    SIMT_INLINE reference(T &to) : at(std::addressof(to)) {}
};
template <class T> struct bytes_of {
    alignas(T) unsigned char bytes[sizeof(T)];
    SIMT_INLINE bytes_of(const T &from) { SIMT_MOVE_BITS(bytes, std::addressof(from), sizeof bytes); }
};
template <class T>
constexpr bool has_own_copies = !std::is_trivially_destructible_v<T> ||
                                (std::is_copy_constructible_v<T> ? !std::is_trivially_copy_constructible_v<T>
                                                                 : !std::is_trivially_move_constructible_v<T>);
template <class T> struct kept { using type = std::conditional_t<has_own_copies<T>, bytes_of<T>, T>; };
template <class T> struct kept<T &> { using type = reference<T>; };
template <class T> using kept_t = typename kept<T>::type;

// How a kernel takes its parameter: a class with copies of its own by the address of the caller's, which is how C++
// passes it.
template <class T>
using taken_t = std::conditional_t<!std::is_reference_v<T> && has_own_copies<T>, std::remove_reference_t<T> *, T>;

// What a thread hands to the kernel of what the launch keeps.
template <class T> SIMT_INLINE const T &given(const T &argument) { return argument; }
template <class T> SIMT_INLINE T &given(const reference<T> &argument) { return *argument.at; }
template <class T> struct own_bytes : bytes_of<T> {
    SIMT_INLINE own_bytes(const bytes_of<T> &from) : bytes_of<T>(from) {}
    SIMT_INLINE operator T *() { return reinterpret_cast<T *>(this->bytes); }
};
template <class T> SIMT_INLINE own_bytes<T> given(const bytes_of<T> &argument) { return argument; }

// Where a kernel runs: what stands between <<< and >>>.
struct configuration {
    simt_site site;
    dim3 grid, block;
    size_t shared_bytes = 0;
    cudaStream_t stream{};
    dim3 cluster;  // __cluster_dims__

    // Each thread calls `call` with copies of the arguments. `kernel` is the kernel's address.
    template <class Call, class... A> SIMT_INLINE void launch(const void *kernel, Call call, A... arguments) const {
        int position = 0;
        (tell_pointer(++position, arguments), ...);
        auto thread = [call, arguments...] { call(given(arguments)...); };
        start(kernel, run<decltype(thread)>, &thread, sizeof thread);
    }

    template <class Thread> static void run(void *thread) { (*(Thread *)thread)(); }

    void start(const void *kernel, void (*run)(void *), void *thread, size_t bytes) const {
        if (cluster.x * cluster.y * cluster.z > 1) simt_launch_together({cluster.x, cluster.y, cluster.z}, 0);
        simt_launch(&site, kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, (void *)stream,
                    run, thread, bytes);
    }

    template <class T> SIMT_INLINE static void tell_pointer(int position, const reference<T> &argument) {
        tell_pointer(position, argument.at);
    }
    template <class T> SIMT_INLINE static void tell_pointer(int position, const T &argument) {
        if constexpr (std::is_pointer_v<T>)
            if constexpr (!std::is_function_v<std::remove_pointer_t<T>>) {
                const void *p = const_cast<const void *>((const volatile void *)argument);
                simt_pointer_argument(position, p);
                simt_pointer_element(p, size_of_struct<std::remove_pointer_t<T>>(0));
            }
    }

    // 0: no struct, or one that is declared and not defined.
    template <class T>
    static constexpr std::enable_if_t<std::is_class_v<T>, size_t> size_of_struct(decltype(sizeof(T))) {
        return sizeof(T);
    }
    template <class T> static constexpr size_t size_of_struct(...) { return 0; }
};

// .on(...) and then (arguments), for each kind of launcher below.
template <class Launcher> struct launcher_base : configuration {
    SIMT_INLINE explicit launcher_base(simt_site at) : configuration{at, {}, {}} {}

    SIMT_INLINE Launcher &on(dim3 blocks, dim3 threads, size_t dynamic_shared_bytes = 0, cudaStream_t in_stream = {}) {
        grid = blocks;
        block = threads;
        shared_bytes = dynamic_shared_bytes;
        stream = in_stream;
        return static_cast<Launcher &>(*this);
    }
    Launcher &clusters(dim3 blocks) {
        cluster = blocks;
        return static_cast<Launcher &>(*this);
    }
};

// P: the kernel's parameter types, so that arguments are converted as in a call: int to float, {1, 2} to a struct, NULL to
// a pointer.
template <class... P> struct launcher : launcher_base<launcher<P...>> {
    void (*kernel)(P...);

    SIMT_INLINE launcher(simt_site at, void (*k)(P...)) : launcher_base<launcher<P...>>(at), kernel(k) {}

    SIMT_INLINE void operator()(P... arguments) const {
        this->template launch<void (*)(taken_t<P>...), kept_t<P>...>(
            (const void *)kernel, (void (*)(taken_t<P>...))(const void *)kernel, std::forward<P>(arguments)...);
    }
};

// A kernel with default values: where fewer arguments are given, `call` lets C++ fill in the rest.
template <class Call, class... P> struct launcher_with_defaults : launcher_base<launcher_with_defaults<Call, P...>> {
    void (*kernel)(P...);
    Call call;

    launcher_with_defaults(simt_site at, void (*k)(P...), Call c)
        : launcher_base<launcher_with_defaults<Call, P...>>(at), kernel(k), call(c) {}

    SIMT_INLINE void operator()(P... arguments) const {
        this->template launch<void (*)(taken_t<P>...), kept_t<P>...>(
            (const void *)kernel, (void (*)(taken_t<P>...))(const void *)kernel, std::forward<P>(arguments)...);
    }
    template <class... A> std::enable_if_t<(sizeof...(A) < sizeof...(P))> operator()(A... arguments) const {
        this->template launch<Call, A...>((const void *)kernel, call, arguments...);
    }
};

// The instance of a template is known only with the arguments: choose(arguments...) returns its address.
template <class Choose> struct deduced_launcher : launcher_base<deduced_launcher<Choose>> {
    Choose choose;

    deduced_launcher(simt_site at, Choose c) : launcher_base<deduced_launcher<Choose>>(at), choose(c) {}

    template <class... A> void operator()(A &&...arguments) const {
        launcher chosen(this->site, choose(arguments...));
        chosen.on(this->grid, this->block, this->shared_bytes, this->stream)
            .clusters(this->cluster)(std::forward<A>(arguments)...);
    }
};

template <class... P> SIMT_INLINE launcher<P...> kernel(simt_site site, void (*k)(P...)) { return {site, k}; }

template <class Call, class... P>
launcher_with_defaults<Call, P...> kernel(simt_site site, void (*k)(P...), Call call) {
    return {site, k, call};
}

template <class Choose> deduced_launcher<Choose> deduced_kernel(simt_site site, Choose choose) {
    return {site, choose};
}

// __launch_bounds__(threads, ...) of the kernel K, of type F: who names `here` has it told before main, or in dlopen.
template <class... Others> constexpr unsigned most_threads(unsigned threads, Others...) { return threads; }
template <class F, F K, unsigned Threads> struct bounded {
    struct teller {
        teller() { simt_launch_bounds((const void *)K, Threads); }
        ~teller() { simt_launch_bounds((const void *)K, 0); }
    };
    static inline teller here;
};

// Where this program or library has such variables: whole pages (runtime/device.ld).
extern "C" {
extern char simt_device_low[] __attribute__((weak, visibility("hidden")));
extern char simt_device_high[] __attribute__((weak, visibility("hidden")));
extern char simt_device_zero_low[] __attribute__((weak, visibility("hidden")));
extern char simt_device_zero_high[] __attribute__((weak, visibility("hidden")));
}

// A __device__, __constant__ or __managed__ variable: device memory for as long as its program or library is loaded.
class variable {
    void *address;

public:
    template <class T>
    SIMT_INLINE variable(const T &v, const char *name, simt_variable_kind kind)
        : variable(static_cast<const volatile void *>(&v), sizeof v, name, kind) {}
    variable(const volatile void *at, size_t size, const char *name, simt_variable_kind kind)
        : address(const_cast<void *>(at)) {
        simt_variable(address, size, name, kind);
        simt_variable_pages(simt_device_low, simt_device_high);
        simt_variable_pages(simt_device_zero_low, simt_device_zero_high);
    }
    ~variable() { simt_variable_gone(address); }
    variable(const variable &) = delete;
};

// The same for an instance of a variable template: who names `value` brings `here` into being.
template <auto &V, class Name, simt_variable_kind Kind> struct announced {
    static inline variable here{V, Name::text(), Kind};
    static constexpr auto &value = (static_cast<void>(&here), V);
};

}  // namespace simt

#endif
