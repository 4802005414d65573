#ifndef GALLERY_H
#define GALLERY_H

/// Limits malloc to two arenas. By default glibc creates more with the number of threads, each with fragmentation.
void gallery_keep_memory_small(void);

#endif
