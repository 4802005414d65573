#ifndef EASEL_JPEG_H
#define EASEL_JPEG_H
#include <stddef.h>
#endif
