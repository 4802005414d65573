// Whether this machine has a network.
#ifndef EASEL_NETWORK_H
#define EASEL_NETWORK_H

#include <stdbool.h>

/// Whether an interface other than the loopback one is up and has an address. Does not block.
bool easel_network_is_up(void);

#endif
