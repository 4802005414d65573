// Lets Thread Sanitizer see Swift's Mutex on Linux.
//
// The fast path of Synchronization.Mutex is compiled into our code, where the sanitizer sees its atomics. A contended
// lock is handed over inside the runtime's library and the kernel (a priority-inheriting futex), where it sees nothing,
// and then reports races between two closures that hold the same lock. These two functions take the place of the
// library's slow paths in a sanitized test binary, say what happens to the lock, and call the originals. Nothing is
// suppressed, so that a race is still a race.

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
