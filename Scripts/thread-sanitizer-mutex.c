// Tells Thread Sanitizer what Swift's Mutex does where the sanitizer cannot look.
//
// A Mutex that nobody else holds is taken by an atomic exchange in the code that was compiled here, which is seen. One
// that somebody holds is taken and given in the system's libswiftSynchronization, through the kernel: unseen, so that
// every use of what it guards is reported as a race. These two stand before those of the library and name the order
// that the lock makes. Better than a list of suppressions: a true race beside a lock is still found.
//
// Linked by `make test-tsan` alone.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void easel_tsan_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void easel_tsan_unlock(SELF) __asm__(UNLOCK);

SWIFT void easel_tsan_lock(uint32_t thread, SELF) {
    SWIFT void (*lock)(uint32_t, SELF) = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
    lock(thread, self);
    __tsan_acquire(self);
}

SWIFT void easel_tsan_unlock(SELF) {
    SWIFT void (*unlock)(SELF) = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(self);
    unlock(self);
}
