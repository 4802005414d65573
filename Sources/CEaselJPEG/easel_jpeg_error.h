#ifndef EASEL_JPEG_ERROR_H
#define EASEL_JPEG_ERROR_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

// libjpeg's error state with the target of its jumps. `base` is the first member, so that a pointer to one is a pointer
// to both.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf target;
    bool is_out_of_data; // the file ended early
        bool is_damaged;     // required data is missing or invalid
        bool is_unsupported; // the library cannot decode files of this kind
    char message[JMSG_LENGTH_MAX];
} easel_jpeg_error;

// Installs functions that jump and record messages. By default, libjpeg prints them and exits.
struct jpeg_error_mgr *easel_jpeg_error_install(easel_jpeg_error *error);

#endif
