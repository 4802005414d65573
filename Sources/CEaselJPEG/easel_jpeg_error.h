#ifndef EASEL_JPEG_ERROR_H
#define EASEL_JPEG_ERROR_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// libjpeg's error state with a place to jump to; `base` comes first so that one pointer is the other.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf target;
    bool is_out_of_data; // the file ended early
    bool is_damaged;     // data that was needed is missing or makes no sense
    bool is_unsupported; // the failure is one of the library, which cannot decode files of this kind
    char message[JMSG_LENGTH_MAX];
} easel_jpeg_error;

// By default libjpeg prints, and ends the process.
struct jpeg_error_mgr *easel_jpeg_error_install(easel_jpeg_error *error);

#endif
