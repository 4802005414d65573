#include "easel_jpeg_progressive.h"
#include "easel_jpeg_segment.h"

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

typedef struct {
    easel_jpeg_entropy entropy; // first, so that one pointer is the other
    int block_count;
    block_plan blocks[D_MAX_BLOCKS_IN_MCU];
    easel_jpeg_codes dc[NUM_HUFF_TBLS], ac[NUM_HUFF_TBLS];
    easel_jpeg_skips skips[NUM_HUFF_TBLS];
} baseline_scan;

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
            block[easel_jpeg_order[place + (word >> EASEL_JPEG_RUN_SHIFT & EASEL_JPEG_RUN)]] =
                (JCOEF)((int32_t)word >> EASEL_JPEG_VALUE_SHIFT);
            place += word >> EASEL_JPEG_STEP_SHIFT & EASEL_JPEG_STEP;
            easel_jpeg_bits_drop(bits, word & EASEL_JPEG_LENGTH);
        } else {
            int value = 0;
            int symbol = easel_jpeg_long_code(bits, codes, word, &value);
            if (symbol <= 0) {
                return symbol == 0;
            }
            if ((symbol & 15) == 0 && symbol != 0xF0) {
                return false;
            }
            place += symbol >> 4;
            block[easel_jpeg_order[place]] = (JCOEF)value;
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

static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks)
{
    baseline_scan *scan = info->client_data;
    easel_jpeg_entropy *entropy = &scan->entropy;
    if (!blocks) {
        easel_jpeg_give_up(entropy);
    }
    easel_jpeg_segment_advance(entropy, info);
    easel_jpeg_bits bits = entropy->bits; // In registers.
    for (int index = 0; index < scan->block_count; index += 1) {
        const block_plan *plan = &scan->blocks[index];
        int *mean = &entropy->means[plan->component];
        JCOEF *block = blocks[index][0];
        if (!easel_jpeg_decode_mean(&bits, plan->dc, mean)) {
            easel_jpeg_give_up(entropy);
        }
        block[0] = (JCOEF)*mean;
        bool is_right =
            plan->skips ? pass_rest(&bits, plan, block) : decode_rest(&bits, plan->ac, block, 1);
        if (!is_right) {
            easel_jpeg_give_up(entropy);
        }
    }
    if (bits.count < bits.made_up) {
        easel_jpeg_give_up(entropy);
    }
    entropy->bits = bits;
    return TRUE;
}

// JPEGs of up to this many pixels take less time than the tables, of which a progressive one has several. Where it is memory that is looked at, small ones do too.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifdef IS_SANITIZED
enum { SMALL = 0, SMALL_FOR_SCANS = 0, SMALL_FOR_SKIPS = 0 };
#else
enum { SMALL = 160 * 160, SMALL_FOR_SCANS = 256 * 256, SMALL_FOR_SKIPS = 512 * 512 };
#endif

bool easel_jpeg_entropy_is_worth_it(const struct jpeg_decompress_struct *info)
{
#ifndef LIBJPEG_TURBO_VERSION
    return false; // Other versions may differ more than in what they add.
#endif
    return (size_t)info->image_width * info->image_height > (info->progressive_mode ? SMALL_FOR_SCANS : SMALL);
}

static bool is_fit(const struct jpeg_decompress_struct *info)
{
    return !info->arith_code && !info->buffered_image && info->comps_in_scan == info->num_components;
}

static bool plan(baseline_scan *scan, const struct jpeg_decompress_struct *info)
{
    bool has_dc[NUM_HUFF_TBLS] = { false }, has_ac[NUM_HUFF_TBLS] = { false }, has_skips[NUM_HUFF_TBLS] = { false };
    bool passes = (size_t)info->image_width * info->image_height > SMALL_FOR_SKIPS;
    scan->block_count = info->blocks_in_MCU;
    for (int index = 0; index < info->blocks_in_MCU; index += 1) {
        int component = info->MCU_membership[index];
        const jpeg_component_info *about = info->cur_comp_info[component];
        int dc = about->dc_tbl_no, ac = about->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) {
            return false;
        }
        const JHUFF_TBL *means = info->dc_huff_tbl_ptrs[dc], *others = info->ac_huff_tbl_ptrs[ac];
        if (!means || !others || (!has_dc[dc] && !easel_jpeg_codes_make(&scan->dc[dc], means, EASEL_JPEG_MEANS))
            || (!has_ac[ac] && !easel_jpeg_codes_make(&scan->ac[ac], others, EASEL_JPEG_COEFFICIENTS))) {
            return false;
        }
        has_dc[dc] = has_ac[ac] = true;
        bool uses_mean_alone = EASEL_SCALED_SIZE(about) == 1 && passes;
        if (uses_mean_alone && !has_skips[ac]) {
            easel_jpeg_skips_make(scan->skips[ac], &scan->ac[ac]);
            has_skips[ac] = true;
        }
        scan->blocks[index] = (block_plan) {
            .dc = &scan->dc[dc],
            .ac = &scan->ac[ac],
            .skips = uses_mean_alone ? scan->skips[ac] : NULL,
            .component = component,
        };
    }
    return true;
}

static easel_jpeg_entropy *install_baseline(struct jpeg_decompress_struct *info)
{
    if (!is_fit(info)) {
        return NULL;
    }
    baseline_scan *scan = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *scan);
    if (!plan(scan, info)) {
        return NULL;
    }
    easel_jpeg_segment_begin(&scan->entropy, info);
    info->client_data = scan;
    info->entropy->decode_mcu = decode_mcu;
    return &scan->entropy;
}

easel_jpeg_entropy *easel_jpeg_entropy_install(
    struct jpeg_decompress_struct *info, easel_jpeg_error *error, const easel_jpeg_room *room)
{
    if (info->data_precision != 8) {
        return NULL;
    }
    easel_jpeg_entropy *entropy =
        info->progressive_mode ? easel_jpeg_progressive_install(info, room) : install_baseline(info);
    if (entropy) {
        entropy->error = error;
        entropy->has_given_up = false;
    }
    return entropy;
}

bool easel_jpeg_entropy_has_given_up(const easel_jpeg_entropy *entropy)
{
    return entropy->has_given_up;
}
