// The C standard has no network interfaces.
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "easel_system.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stddef.h>
#include <sys/socket.h>

bool easel_network_is_up(void) {
    struct ifaddrs *all = NULL;
    // Assumes a network if the system reports an error. Requests fail without one.
    if (getifaddrs(&all) != 0) return true;
    bool is_up = false;
    for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
        const unsigned int required = IFF_UP | IFF_RUNNING;
        if (!one->ifa_addr || (one->ifa_flags & IFF_LOOPBACK) || (one->ifa_flags & required) != required) continue;
        const int family = one->ifa_addr->sa_family;
        is_up = is_up || family == AF_INET || family == AF_INET6;
    }
    freeifaddrs(all);
    return is_up;
}
