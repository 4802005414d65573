#include "easel_jpeg_error.h"

#include <jerror.h>

static void fail(j_common_ptr info)
{
    easel_jpeg_error *error = (easel_jpeg_error *)info->err;
    info->err->format_message(info, error->message);
    switch (info->err->msg_code) {
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_SOF_UNSUPPORTED:
        error->is_unsupported = true;
        break;
    default:
        break;
    }
    longjmp(error->target, 1);
}

static void record_warning(j_common_ptr info, int level)
{
    if (level >= 0) {
        return; // A trace.
    }
    easel_jpeg_error *error = (easel_jpeg_error *)info->err;
    switch (info->err->msg_code) {
    case JWRN_JPEG_EOF:
        error->is_out_of_data = true;
        break;
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
        error->is_damaged = true;
        break;
    default:
                return; // Irregularities that change no pixel.
    }
    info->err->format_message(info, error->message);
}

static void discard_message(j_common_ptr info)
{
    (void)info;
}

struct jpeg_error_mgr *easel_jpeg_error_install(easel_jpeg_error *error)
{
    jpeg_std_error(&error->base);
    error->base.error_exit = fail;
    error->base.emit_message = record_warning;
    error->base.output_message = discard_message;
    return &error->base;
}
