#ifndef EASEL_PIXELS_H
#define EASEL_PIXELS_H

#include <stddef.h>
#include <stdint.h>

#endif
