#include "easel_jpeg_entropy.h"
#include "easel_jpeg_bits.h"
#include "easel_jpeg_codes.h"

#include <stdnoreturn.h>

// The first members of libjpeg's entropy decoder, which have stood in this order in every version of it. Others follow,
// which stay libjpeg's.
struct jpeg_entropy_decoder {
    void (*start_pass)(j_decompress_ptr);
    boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW *);
};

#if JPEG_LIB_VERSION >= 70
#define EASEL_SCALED_SIZE(component) ((component)->DCT_h_scaled_size)
#else
#define EASEL_SCALED_SIZE(component) ((component)->DCT_scaled_size)
#endif

typedef struct {
    const easel_jpeg_codes *dc, *ac;
    const uint16_t *skips; // NULL where the block's coefficients are used
    int component;
} block_plan;

struct easel_jpeg_entropy {
    easel_jpeg_error *error;
    bool has_given_up;
    easel_jpeg_bits bits;
    int means[MAX_COMPONENTS];
    unsigned int until_restart, restart;
    int block_count;
    block_plan blocks[D_MAX_BLOCKS_IN_MCU];
    easel_jpeg_codes dc[NUM_HUFF_TBLS], ac[NUM_HUFF_TBLS];
    easel_jpeg_skips skips[NUM_HUFF_TBLS];
};

// Some places more, since sixteen zeros at a time may lead beyond the last.
static const uint8_t natural_order[64 + 16] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55,
    62, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
};

static noreturn void give_up(easel_jpeg_entropy *entropy)
{
    entropy->has_given_up = true;
    longjmp(entropy->error->target, 1);
}

// A code that is not in the table, or whose value is not in its word: its symbol, or -1.
EASEL_INLINE int long_code(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, uint32_t word, int *value)
{
    int length = word & EASEL_JPEG_LENGTH;
    int symbol = (int)((word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN) << 4 | word >> EASEL_JPEG_VALUE_SHIFT);
    if (length == 0) {
        symbol = easel_jpeg_codes_find(codes, (int32_t)easel_jpeg_bits_top(bits, 16), &length);
        if (symbol < 0) {
            return -1;
        }
    }
    easel_jpeg_bits_drop(bits, length);
    int size = symbol & 15;
    if (size > 0) {
        *value = easel_jpeg_value((int)easel_jpeg_bits_top(bits, size), size);
        easel_jpeg_bits_drop(bits, size);
    }
    return symbol;
}

EASEL_INLINE bool decode_mean(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, int *mean)
{
    if (bits->count < 32) {
        easel_jpeg_bits_fill(bits);
    }
    uint32_t word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
    if (word & EASEL_JPEG_HAS_VALUE) {
        easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
        *mean += (int32_t)word >> EASEL_JPEG_VALUE_SHIFT;
        return true;
    }
    int difference = 0;
    int symbol = long_code(bits, codes, word, &difference);
    *mean += difference;
    return symbol >= 0;
}

// The coefficients from the `place`th on.
EASEL_INLINE bool decode_rest(easel_jpeg_bits *bits, const easel_jpeg_codes *codes, JCOEF *block, int place)
{
    uint32_t word;
    do {
        if (bits->count < 32) {
            easel_jpeg_bits_fill(bits);
        }
        word = codes->words[easel_jpeg_bits_top(bits, EASEL_JPEG_LOOK)];
        if (word & EASEL_JPEG_HAS_VALUE) {
            block[natural_order[place + (word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN)]] =
                (JCOEF)((int32_t)word >> EASEL_JPEG_VALUE_SHIFT);
            place += word >> EASEL_JPEG_STEP_SHIFT & EASEL_JPEG_STEP;
            easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
        } else {
            int value = 0;
            int symbol = long_code(bits, codes, word, &value);
            if (symbol <= 0) {
                return symbol == 0;
            }
            if ((symbol & 15) == 0 && symbol != 0xF0) {
                return false;
            }
            place += symbol >> 4;
            block[natural_order[place]] = (JCOEF)value;
            place += 1;
        }
    } while (place < DCTSIZE2);
    if (place == DCTSIZE2 + EASEL_JPEG_ENDED) {
        // Behind the last place there is no end: what looked so is the next block's.
        easel_jpeg_bits_put_back(bits, codes->end_code, codes->end_length);
        return true;
    }
    return place == DCTSIZE2 || place >= EASEL_JPEG_END
        || (place > EASEL_JPEG_ENDED && place < EASEL_JPEG_ENDED + DCTSIZE2);
}

EASEL_INLINE bool pass_rest(easel_jpeg_bits *bits, const block_plan *plan, JCOEF *block)
{
    int place = 1;
    while (place < DCTSIZE2) {
        if (bits->count < 32) {
            easel_jpeg_bits_fill(bits);
        }
        uint16_t skip = plan->skips[easel_jpeg_bits_top(bits, EASEL_JPEG_FAR_LOOK)];
        int next = place + (skip >> EASEL_JPEG_SKIP_COUNT_SHIFT);
        bool is_last = skip & EASEL_JPEG_SKIP_IS_LAST;
        // What goes beyond the block looked at the next one. A code that is too long for the table skips nothing.
        if (next + is_last > DCTSIZE2 || skip == 0) {
            return decode_rest(bits, plan->ac, block, place);
        }
        easel_jpeg_bits_drop(bits, skip & EASEL_JPEG_LENGTH);
        place = next;
        if (is_last) {
            return true;
        }
    }
    return true;
}

// Behind the restart marker everything begins anew. The bits before it are used up but for those that fill the byte.
static bool restart(easel_jpeg_entropy *entropy, struct jpeg_decompress_struct *info)
{
    easel_jpeg_bits *bits = &entropy->bits;
    if (bits->count - bits->made_up >= 8 || bits->end - bits->next < 2 || bits->next[0] != 0xFF
        || bits->next[1] != JPEG_RST0 + entropy->restart) {
        return false;
    }
    bits->next += 2;
    bits->word = 0;
    bits->count = bits->made_up = 0;
    entropy->restart = (entropy->restart + 1) & 7;
    entropy->until_restart = info->restart_interval;
    for (int component = 0; component < MAX_COMPONENTS; component += 1) {
        entropy->means[component] = 0;
    }
    return true;
}

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks)
{
    easel_jpeg_entropy *entropy = info->client_data;
    if (!blocks) {
        give_up(entropy);
    }
    if (info->restart_interval > 0) {
        if (entropy->until_restart == 0 && !restart(entropy, info)) {
            give_up(entropy);
        }
        entropy->until_restart -= 1;
    }
    easel_jpeg_bits bits = entropy->bits; // In registers.
    for (int index = 0; index < entropy->block_count; index += 1) {
        const block_plan *plan = &entropy->blocks[index];
        int *mean = &entropy->means[plan->component];
        JCOEF *block = blocks[index][0];
        // Sums of differences beyond these are of no picture: libjpeg has rules for them.
        if (!decode_mean(&bits, plan->dc, mean) || *mean > INT16_MAX || *mean < INT16_MIN) {
            give_up(entropy);
        }
        block[0] = (JCOEF)*mean;
        bool is_right =
            plan->skips ? pass_rest(&bits, plan, block) : decode_rest(&bits, plan->ac, block, 1);
        if (!is_right) {
            give_up(entropy);
        }
    }
    if (bits.count < bits.made_up) {
        give_up(entropy);
    }
    entropy->bits = bits;
    return TRUE;
}

// JPEGs of up to this many pixels take less time than the tables. Where it is memory that is looked at, small ones do too.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifdef IS_SANITIZED
enum { SMALL = 0, SMALL_FOR_SKIPS = 0 };
#else
enum { SMALL = 160 * 160, SMALL_FOR_SKIPS = 512 * 512 };
#endif

static bool is_fit(const struct jpeg_decompress_struct *info)
{
#ifndef LIBJPEG_TURBO_VERSION
    return false; // Other versions may differ more than in what they add.
#endif
    return !info->progressive_mode && !info->arith_code && !info->buffered_image && info->data_precision == 8
        && info->comps_in_scan == info->num_components
        && (size_t)info->image_width * info->image_height > SMALL;
}

static bool plan(easel_jpeg_entropy *entropy, const struct jpeg_decompress_struct *info)
{
    bool has_dc[NUM_HUFF_TBLS] = { false }, has_ac[NUM_HUFF_TBLS] = { false }, has_skips[NUM_HUFF_TBLS] = { false };
    bool passes = (size_t)info->image_width * info->image_height > SMALL_FOR_SKIPS;
    entropy->block_count = info->blocks_in_MCU;
    for (int index = 0; index < info->blocks_in_MCU; index += 1) {
        int component = info->MCU_membership[index];
        const jpeg_component_info *about = info->cur_comp_info[component];
        int dc = about->dc_tbl_no, ac = about->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) {
            return false;
        }
        const JHUFF_TBL *means = info->dc_huff_tbl_ptrs[dc], *others = info->ac_huff_tbl_ptrs[ac];
        if (!means || !others || (!has_dc[dc] && !easel_jpeg_codes_make(&entropy->dc[dc], means, true))
            || (!has_ac[ac] && !easel_jpeg_codes_make(&entropy->ac[ac], others, false))) {
            return false;
        }
        has_dc[dc] = has_ac[ac] = true;
        bool uses_mean_alone = EASEL_SCALED_SIZE(about) == 1 && passes;
        if (uses_mean_alone && !has_skips[ac]) {
            easel_jpeg_skips_make(entropy->skips[ac], &entropy->ac[ac]);
            has_skips[ac] = true;
        }
        entropy->blocks[index] = (block_plan) {
            .dc = &entropy->dc[dc],
            .ac = &entropy->ac[ac],
            .skips = uses_mean_alone ? entropy->skips[ac] : NULL,
            .component = component,
        };
    }
    return true;
}

easel_jpeg_entropy *easel_jpeg_entropy_install(struct jpeg_decompress_struct *info, easel_jpeg_error *error)
{
    if (!is_fit(info)) {
        return NULL;
    }
    easel_jpeg_entropy *entropy = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *entropy);
    if (!plan(entropy, info)) {
        return NULL;
    }
    entropy->error = error;
    entropy->has_given_up = false;
    entropy->until_restart = info->restart_interval;
    entropy->restart = 0;
    const uint8_t *next = info->src->next_input_byte;
    entropy->bits = (easel_jpeg_bits) { .next = next, .end = next + info->src->bytes_in_buffer };
    for (int component = 0; component < MAX_COMPONENTS; component += 1) {
        entropy->means[component] = 0;
    }
    info->client_data = entropy;
    info->entropy->decode_mcu = decode_mcu;
    return entropy;
}

bool easel_jpeg_entropy_has_given_up(const easel_jpeg_entropy *entropy)
{
    return entropy->has_given_up;
}
