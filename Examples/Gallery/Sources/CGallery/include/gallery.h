#ifndef GALLERY_H
#define GALLERY_H

/// Lets all threads share two heaps. glibc would make as many as there are threads, each with holes of its own.
void gallery_keep_memory_small(void);

#endif
