// Makes Thread Sanitizer aware of Swift's Mutex on Linux.
//
// The fast path of Synchronization.Mutex is compiled into our code, with atomics that the sanitizer instruments. A
// contended lock is transferred inside the runtime's library and the kernel (a priority-inheriting futex), which are
// not instrumented, so that the sanitizer would report races between two closures that hold the same lock. These two
// functions replace the library's slow paths in a sanitized test binary, report the lock's state, and call the
// originals. Nothing is suppressed: real races are still reported.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void easel_lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void easel_unlock_slow(SELF mutex) __asm__(UNLOCK);

SWIFT void easel_lock_slow(uint32_t thread, SELF mutex) {
    SWIFT void (*original)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
    original(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void easel_unlock_slow(SELF mutex) {
    SWIFT void (*original)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(mutex);
    original(mutex);
}

#endif
#endif
