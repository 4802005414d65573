#include "easel_tiff.h"

// Without the package trait, the library may be missing, and this is unused.
#if __has_include(<tiffio.h>)

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

struct easel_tiff_reader {
    TIFF *tiff;
    // The readers of the other planes. A single reader would seek each row from the beginning of its strip.
    struct easel_tiff_reader *planes[EASEL_TIFF_MAX_PLANES - 1];
    size_t memory_limit;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    TIFFRGBAImage image;
    bool has_image;
    char message[160];
};

// Returns 1 to mark the error as handled; otherwise libtiff's handler prints it.
static int record_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    easel_tiff_reader *reader = user;
    if (!reader->message[0]) vsnprintf(reader->message, sizeof reader->message, format, arguments);
    return 1;
}

static int ignore_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    easel_tiff_reader *reader = handle;
    if (size <= 0 || reader->position >= reader->count) return 0;
    size_t count = reader->count - reader->position;
    if (count > (size_t)size) count = (size_t)size;
    memcpy(buffer, reader->bytes + reader->position, count);
    reader->position += count;
    return (tmsize_t)count;
}

static tmsize_t refuse_to_write(thandle_t handle, void *buffer, tmsize_t size) { return 0; }

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    easel_tiff_reader *reader = handle;
    toff_t base = whence == SEEK_CUR ? reader->position : whence == SEEK_END ? reader->count : 0;
    // Unsigned arithmetic wraps. A position beyond the end reads nothing.
    reader->position = (size_t)(base + offset);
    return (toff_t)reader->position;
}

static int ignore_close(thandle_t handle) { return 0; }

static toff_t size_of_file(thandle_t handle) { return ((easel_tiff_reader *)handle)->count; }

// Maps the file, so that libtiff reads directly from the bytes.
static int map_bytes(thandle_t handle, void **base, toff_t *size) {
    easel_tiff_reader *reader = handle;
    // The file is read-only, so libtiff does not write. The type is not const.
    *base = (void *)(uintptr_t)reader->bytes;
    *size = reader->count;
    return 1;
}

static void ignore_unmap(thandle_t handle, void *base, toff_t size) {}

easel_tiff_reader *easel_tiff_reader_open(const uint8_t *bytes, size_t count, size_t memory_limit) {
    easel_tiff_reader *reader = calloc(1, sizeof *reader);
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (reader && options) {
        reader->bytes = bytes;
        reader->count = count;
        reader->memory_limit = memory_limit;
        TIFFOpenOptionsSetErrorHandlerExtR(options, record_error, reader);
        TIFFOpenOptionsSetWarningHandlerExtR(options, ignore_warning, reader);
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory_limit);
        reader->tiff = TIFFClientOpenExt(
            "memory", "r", reader, read_bytes, refuse_to_write, seek, ignore_close, size_of_file, map_bytes,
            ignore_unmap, options);
    }
    TIFFOpenOptionsFree(options);
    if (reader && !reader->tiff) {
        free(reader);
        return NULL;
    }
    return reader;
}

void easel_tiff_reader_close(easel_tiff_reader *reader) {
    if (reader->has_image) TIFFRGBAImageEnd(&reader->image);
    for (size_t index = 0; index < EASEL_TIFF_MAX_PLANES - 1; index++) {
        if (reader->planes[index]) easel_tiff_reader_close(reader->planes[index]);
    }
    TIFFClose(reader->tiff);
    free(reader);
}

static uint32_t short_field(TIFF *tiff, uint32_t tag, uint16_t fallback) {
    uint16_t value = fallback;
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

static easel_tiff_format format_of(TIFF *tiff) {
    switch (short_field(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT)) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
        return EASEL_TIFF_UNSIGNED;
    case SAMPLEFORMAT_INT:
        return EASEL_TIFF_SIGNED;
    case SAMPLEFORMAT_IEEEFP:
        return EASEL_TIFF_FLOAT;
    default:
        return EASEL_TIFF_COMPLEX;
    }
}

static easel_tiff_colors colors_of(TIFF *tiff, uint32_t samples) {
    uint16_t photometric = 0;
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric)) return EASEL_TIFF_OTHER;
    // Uses the first of several bands.
    if (photometric == PHOTOMETRIC_MINISBLACK) return EASEL_TIFF_GRAY;
    if (photometric == PHOTOMETRIC_MINISWHITE) return EASEL_TIFF_GRAY_INVERTED;
    if (photometric == PHOTOMETRIC_SEPARATED && samples >= 4 &&
        short_field(tiff, TIFFTAG_INKSET, INKSET_CMYK) == INKSET_CMYK) {
        return EASEL_TIFF_CMYK;
    }
    // libjpeg converts JPEG colors to RGB on request.
    bool is_jpeg = short_field(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE) == COMPRESSION_JPEG;
    if (photometric == PHOTOMETRIC_YCBCR && is_jpeg && samples == 3 &&
        short_field(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_CONTIG) {
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        return EASEL_TIFF_RGB;
    }
    // libtiff converts palettes to RGBA, but ignores their alpha.
    if (photometric == PHOTOMETRIC_PALETTE && samples >= 2) return EASEL_TIFF_PALETTE;
    return photometric == PHOTOMETRIC_RGB && samples >= 3 ? EASEL_TIFF_RGB : EASEL_TIFF_OTHER;
}

// Untyped extra samples are treated as alpha if there are four samples, as in other readers.
static easel_tiff_alpha alpha_of(TIFF *tiff, uint32_t samples, easel_tiff_colors colors) {
    uint16_t count = 0;
    uint16_t *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    if (count > 0 && kinds && colors != EASEL_TIFF_CMYK) {
        return kinds[0] == EXTRASAMPLE_ASSOCALPHA ? EASEL_TIFF_PREMULTIPLIED
            : kinds[0] == EXTRASAMPLE_UNASSALPHA  ? EASEL_TIFF_STRAIGHT
                                                  : EASEL_TIFF_OPAQUE;
    }
    return colors == EASEL_TIFF_RGB && samples == 4 ? EASEL_TIFF_PREMULTIPLIED : EASEL_TIFF_OPAQUE;
}

bool easel_tiff_reader_read_header(easel_tiff_reader *reader, easel_tiff_header *header) {
    TIFF *tiff = reader->tiff;
    memset(header, 0, sizeof *header);
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width) ||
        !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height)) {
        return false;
    }
    header->orientation = short_field(tiff, TIFFTAG_ORIENTATION, 1);
    header->bits_per_sample = short_field(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    header->samples_per_pixel = short_field(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    header->format = format_of(tiff);
    header->is_planar = short_field(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    header->colors = colors_of(tiff, header->samples_per_pixel);
    header->alpha = alpha_of(tiff, header->samples_per_pixel, header->colors);
    uint16_t *palette[3] = {NULL, NULL, NULL};
    if (header->colors == EASEL_TIFF_PALETTE &&
        TIFFGetField(tiff, TIFFTAG_COLORMAP, &palette[0], &palette[1], &palette[2])) {
        memcpy(header->palette, palette, sizeof palette);
    }
    header->compression = short_field(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    header->has_decoder = TIFFIsCODECConfigured((uint16_t)header->compression) == 1;
    header->is_tiled = TIFFIsTiled(tiff) != 0;
    header->block_width = header->width;
    header->block_height = header->height;
    if (header->is_tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->block_height);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &header->block_height);
    }
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &header->profile_count, &profile)) header->profile = profile;
    return true;
}

size_t easel_tiff_row_size(easel_tiff_reader *reader) {
    tmsize_t size = TIFFScanlineSize(reader->tiff);
    return size > 0 ? (size_t)size : 0;
}

size_t easel_tiff_tile_row_size(easel_tiff_reader *reader) {
    tmsize_t size = TIFFTileRowSize(reader->tiff);
    return size > 0 ? (size_t)size : 0;
}

bool easel_tiff_read_row(easel_tiff_reader *reader, uint8_t *bytes, uint32_t row, uint32_t plane) {
    if (plane >= EASEL_TIFF_MAX_PLANES) return false;
    TIFF *tiff = reader->tiff;
    if (plane > 0) {
        easel_tiff_reader **other = &reader->planes[plane - 1];
        if (!*other) *other = easel_tiff_reader_open(reader->bytes, reader->count, reader->memory_limit);
        if (!*other) return false;
        tiff = (*other)->tiff;
    }
    return TIFFReadScanline(tiff, bytes, row, (uint16_t)plane) == 1;
}

bool easel_tiff_read_tile(
    easel_tiff_reader *reader, uint8_t *bytes, size_t count, uint32_t x, uint32_t y, uint32_t plane) {
    uint32_t tile = TIFFComputeTile(reader->tiff, x, y, 0, (uint16_t)plane);
    return TIFFReadEncodedTile(reader->tiff, tile, bytes, (tmsize_t)count) == (tmsize_t)count;
}

bool easel_tiff_begin_blocks(easel_tiff_reader *reader) {
    char message[1024] = "";
    if (!TIFFRGBAImageOK(reader->tiff, message) || !TIFFRGBAImageBegin(&reader->image, reader->tiff, 1, message)) {
        if (!reader->message[0]) memcpy(reader->message, message, sizeof reader->message - 1);
        return false;
    }
    reader->has_image = true;
    // Rows are read as stored; the orientation is applied later.
    reader->image.req_orientation = reader->image.orientation;
    return true;
}

bool easel_tiff_read_block(easel_tiff_reader *reader, uint32_t *pixels, uint32_t row, uint32_t row_count) {
    if (!reader->has_image) return false;
    reader->image.row_offset = (int)row;
    reader->image.col_offset = 0;
    return TIFFRGBAImageGet(&reader->image, pixels, reader->image.width, row_count) == 1;
}

const char *easel_tiff_message(const easel_tiff_reader *reader) { return reader->message; }

const char *easel_tiff_version(void) {
    // "LIBTIFF, Version 4.5.0", and lines about its authors.
    static char version[16];
    if (version[0] == 0) sscanf(TIFFGetVersion(), "LIBTIFF, Version %15[0-9.]", version);
    return version;
}

#endif
