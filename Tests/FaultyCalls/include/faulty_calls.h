// What a decoder that hostile data controls may try.
#ifndef FAULTY_CALLS_H
#define FAULTY_CALLS_H

#include <stdbool.h>

/// Does what the name says. Returns 0 if the system allowed it, or an errno value.
int faulty_call(const char *name);

/// If this program was started by the name `other-version-decoder`, serves as a worker program of a later version, and
/// does not return.
void faulty_serve_other_version(void);

/// Returns whether this process has no children, not even unreaped ones.
bool faulty_has_no_children(void);

#endif
