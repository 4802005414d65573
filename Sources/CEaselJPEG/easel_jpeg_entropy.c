#include "easel_jpeg_drawing.h"
#include "easel_jpeg_progressive.h"
#include "easel_jpeg_rest.h"
#include "easel_jpeg_standard.h"

#include <string.h>

typedef struct {
    const easel_jpeg_codes *dc, *ac;
    const uint64_t *pairs; // NULL where they are not worth making
    const uint16_t *skips; // NULL where the block's coefficients are used
    int component;
} block_plan;

typedef struct {
    easel_jpeg_entropy entropy; // first, so that one pointer is the other
    int block_count;
    block_plan blocks[D_MAX_BLOCKS_IN_MCU];
    easel_jpeg_codes dc[NUM_HUFF_TBLS], ac[NUM_HUFF_TBLS];
} baseline_scan;

static void decode_unit(j_decompress_ptr info, JBLOCKROW *blocks, uint8_t *ends)
{
    baseline_scan *scan = info->client_data;
    easel_jpeg_entropy *entropy = &scan->entropy;
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
        easel_jpeg_bits_fill(&bits);
        int place = 1, end = DCTSIZE2;
        if (plan->skips) {
            place = easel_jpeg_pass_rest(&bits, plan->skips);
            end = place < DCTSIZE2 ? DCTSIZE2 : 1;
        } else if (plan->pairs) {
            place = easel_jpeg_decode_pairs(&bits, plan->pairs, block, &end);
        }
        if (place < DCTSIZE2 && !easel_jpeg_decode_rest(&bits, plan->ac, block, place)) {
            easel_jpeg_give_up(entropy);
        }
        ends[index] = (uint8_t)end;
    }
    if (bits.count < bits.made_up) {
        easel_jpeg_give_up(entropy);
    }
    entropy->bits = bits;
}

// What libjpeg calls where it draws.
static boolean decode_mcu(j_decompress_ptr info, JBLOCKROW *blocks)
{
    uint8_t ends[D_MAX_BLOCKS_IN_MCU];
    if (!blocks) {
        easel_jpeg_give_up(info->client_data);
    }
    decode_unit(info, blocks, ends);
    return TRUE;
}

// JPEGs of up to this many pixels take less time than the tables, of which a progressive one has several. Where it is memory
// that is looked at, small ones do too.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifdef IS_SANITIZED
enum { SMALL = 0, SMALL_FOR_SCANS = 0, SMALL_FOR_PAIRS = 0, SMALL_FOR_SKIPS = 0 };
#else
enum { SMALL = 160 * 160, SMALL_FOR_SCANS = 256 * 256, SMALL_FOR_PAIRS = 256 * 256, SMALL_FOR_SKIPS = 512 * 512 };
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

// What is made of one table of codes, as far as it has been.
typedef struct {
    const easel_jpeg_standard *standard; // whose these are; NULL for codes that are this picture's own
    const easel_jpeg_codes *codes;
    const uint64_t *pairs;
    const uint16_t *skips;
} table_plan;

static bool make_codes(table_plan *plan, easel_jpeg_codes *room, const JHUFF_TBL *table)
{
    plan->standard = easel_jpeg_standard_find(table);
    if (plan->standard) {
        plan->codes = easel_jpeg_standard_codes(plan->standard);
        plan->pairs = easel_jpeg_standard_pairs(plan->standard);
        return true;
    }
    plan->codes = room;
    return easel_jpeg_codes_make(room, table, EASEL_JPEG_COEFFICIENTS);
}

static void make_pairs(table_plan *plan, struct jpeg_decompress_struct *info)
{
    uint64_t *pairs = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof(easel_jpeg_pairs));
    easel_jpeg_pairs_make(pairs, plan->codes);
    plan->pairs = pairs;
}

static void make_skips(table_plan *plan, struct jpeg_decompress_struct *info)
{
    plan->skips = plan->standard ? easel_jpeg_standard_skips(plan->standard) : NULL;
    if (plan->skips) {
        return;
    }
    uint16_t *skips = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof(easel_jpeg_skips));
    easel_jpeg_skips_make(skips, plan->codes);
    plan->skips = skips;
}

static const easel_jpeg_codes *mean_codes(easel_jpeg_codes *room, const JHUFF_TBL *table)
{
    const easel_jpeg_codes *standard = easel_jpeg_standard_means(table);
    if (standard) {
        return standard;
    }
    return easel_jpeg_codes_make(room, table, EASEL_JPEG_MEANS) ? room : NULL;
}

static bool plan(baseline_scan *scan, struct jpeg_decompress_struct *info)
{
    const easel_jpeg_codes *means[NUM_HUFF_TBLS] = { NULL };
    table_plan others[NUM_HUFF_TBLS];
    memset(others, 0, sizeof others);
    size_t pixel_count = (size_t)info->image_width * info->image_height;
    scan->block_count = info->blocks_in_MCU;
    for (int index = 0; index < info->blocks_in_MCU; index += 1) {
        int component = info->MCU_membership[index];
        const jpeg_component_info *about = info->cur_comp_info[component];
        int dc = about->dc_tbl_no, ac = about->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS || !info->dc_huff_tbl_ptrs[dc]
            || !info->ac_huff_tbl_ptrs[ac]) {
            return false;
        }
        means[dc] = means[dc] ? means[dc] : mean_codes(&scan->dc[dc], info->dc_huff_tbl_ptrs[dc]);
        table_plan *other = &others[ac];
        if (!means[dc] || (!other->codes && !make_codes(other, &scan->ac[ac], info->ac_huff_tbl_ptrs[ac]))) {
            return false;
        }
        bool uses_mean_alone = easel_jpeg_drawn_width(about) == 1 && pixel_count > SMALL_FOR_SKIPS;
        bool uses_pairs = !uses_mean_alone && (other->standard || pixel_count > SMALL_FOR_PAIRS);
        if (uses_mean_alone && !other->skips) {
            make_skips(other, info);
        }
        if (uses_pairs && !other->pairs) {
            make_pairs(other, info);
        }
        scan->blocks[index] = (block_plan) {
            .dc = means[dc],
            .ac = other->codes,
            .pairs = uses_pairs ? other->pairs : NULL,
            .skips = uses_mean_alone ? other->skips : NULL,
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
    easel_jpeg_drawing_install(info, &scan->entropy, decode_unit);
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
