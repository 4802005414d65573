#include <jxl/color_encoding.h>
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>
#include <jxl/version.h>

// libjxl 0.9 removed the unused pixel format of these three functions.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define EASEL_JXL_UNUSED_FORMAT
#else
#define EASEL_JXL_UNUSED_FORMAT NULL,
#endif

static inline JxlDecoderStatus easel_jxl_get_encoding(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
    return JxlDecoderGetColorAsEncodedProfile(decoder, EASEL_JXL_UNUSED_FORMAT target, encoding);
}

static inline JxlDecoderStatus easel_jxl_get_profile_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
    return JxlDecoderGetICCProfileSize(decoder, EASEL_JXL_UNUSED_FORMAT target, size);
}

static inline JxlDecoderStatus easel_jxl_get_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *bytes, size_t size) {
    return JxlDecoderGetColorAsICCProfile(decoder, EASEL_JXL_UNUSED_FORMAT target, bytes, size);
}

#undef EASEL_JXL_UNUSED_FORMAT
