#include "gallery.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

void gallery_keep_memory_small(void) { mallopt(M_ARENA_MAX, 2); }
#else
void gallery_keep_memory_small(void) {}
#endif
