// own.h: memory for what simt keeps and no guest may write (guests.h): shadow, counts, stacks. All of it lies in one range of
// addresses, where the system gives them.
#ifndef SIMT_OWN_H
#define SIMT_OWN_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <new>
#include <set>

#pragma GCC visibility push(hidden)
namespace simt {

void *own_pages(size_t size);  // zeros that take memory only where they are touched; null: there are no addresses left
void own_pages_back(void *p, size_t size);
void *own_allocate(size_t size);  // small things: it does not return null
void own_free(void *p, size_t size);
bool is_own_memory(const void *p, size_t n);

// For containers, and as a base class for what is made with new.
template <class T> struct Own {
    typedef T value_type;
    Own() = default;
    template <class U> Own(const Own<U> &) {}
    T *allocate(size_t n) { return (T *)own_allocate(n * sizeof(T)); }
    void deallocate(T *p, size_t n) { own_free(p, n * sizeof(T)); }
    template <class U> bool operator==(const Own<U> &) const { return true; }
    template <class U> bool operator!=(const Own<U> &) const { return false; }
};
// Tables that say which addresses and handles are good: who could write there could make his own.
template <class T> using OwnSet = std::set<T, std::less<T>, Own<T>>;
template <class K, class T> using OwnMap = std::map<K, T, std::less<K>, Own<std::pair<const K, T>>>;
template <class T> T *own_new(T value = T()) { return new (own_allocate(sizeof(T))) T(std::move(value)); }
template <class T> void own_delete(T *p) { p->~T(), own_free(p, sizeof *p); }
struct OwnObject {
    static void *operator new(size_t n) { return own_allocate(n); }
    static void operator delete(void *p, size_t n) { own_free(p, n); }
};

}  // namespace simt
#pragma GCC visibility pop
#endif
