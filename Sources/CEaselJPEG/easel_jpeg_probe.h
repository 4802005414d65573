#ifndef EASEL_JPEG_PROBE_H
#define EASEL_JPEG_PROBE_H

#include <stdbool.h>

// Whether libjpeg's entropy decoder can be taken over as easel_jpeg_entropy.h does it, and its drawing as easel_jpeg_drawing.h
// does. A library that was built otherwise than its headers say is found out here, and decodes alone then.
//
// Tried out on a small picture of the same kind, once a process, in a fraction of a millisecond.
bool easel_jpeg_probe_passes(bool is_progressive);

#endif
