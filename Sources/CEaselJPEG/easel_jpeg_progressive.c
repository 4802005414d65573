#include "easel_jpeg_progressive.h"
#include "easel_jpeg_bands.h"

#include <string.h>

// The scans of a progressive file (ITU-T T.81, annex G).
//
// Of each block it is kept which coefficients are not zero, a bit each: most of the codes of later scans say how many zeros to
// pass over and where corrections are, and so need not look at the block itself.
typedef struct {
    easel_jpeg_entropy entropy; // first, so that one pointer is the other
    void (*start_pass)(j_decompress_ptr); // libjpeg's
    JBLOCKROW blocks;           // of all components; NULL where only the first scan is read
    uint64_t *filled;           // the coefficients that are not zero, in the order of files
    size_t units_left;          // of the scan
    easel_jpeg_band band;
    easel_jpeg_codes means[NUM_HUFF_TBLS];
} progressive_scan;

static progressive_scan *begin_unit(j_decompress_ptr info, JBLOCKROW *blocks)
{
    progressive_scan *scan = info->client_data;
    if (!blocks) {
        easel_jpeg_give_up(&scan->entropy);
    }
    if (easel_jpeg_segment_advance(&scan->entropy, info)) {
        scan->band.ended = 0;
    }
    return scan;
}

static boolean end_unit(progressive_scan *scan, j_decompress_ptr info, const easel_jpeg_bits *bits)
{
    scan->entropy.bits = *bits;
    scan->units_left -= 1;
    bool is_last = scan->units_left == 0;
    if (bits->count < bits->made_up || (is_last && !easel_jpeg_segment_has_ended(bits))) {
        easel_jpeg_give_up(&scan->entropy);
    }
    if (is_last) {
        // libjpeg goes on with the marker.
        info->src->next_input_byte = bits->next;
        info->src->bytes_in_buffer = (size_t)(bits->end - bits->next);
    }
    return TRUE;
}

static boolean decode_means(j_decompress_ptr info, JBLOCKROW *blocks)
{
    progressive_scan *scan = begin_unit(info, blocks);
    easel_jpeg_bits bits = scan->entropy.bits;
    for (int index = 0; index < info->blocks_in_MCU; index += 1) {
        int component = info->MCU_membership[index];
        const easel_jpeg_codes *codes = &scan->means[info->cur_comp_info[component]->dc_tbl_no];
        int *mean = &scan->entropy.means[component];
        if (!easel_jpeg_decode_mean(&bits, codes, mean)) {
            easel_jpeg_give_up(&scan->entropy);
        }
        blocks[index][0][0] = (JCOEF)(*mean * (1 << scan->band.low));
    }
    return end_unit(scan, info, &bits);
}

static boolean correct_means(j_decompress_ptr info, JBLOCKROW *blocks)
{
    progressive_scan *scan = begin_unit(info, blocks);
    easel_jpeg_bits bits = scan->entropy.bits;
    if (bits.count < 32) {
        easel_jpeg_bits_fill(&bits);
    }
    for (int index = 0; index < info->blocks_in_MCU; index += 1) {
        JCOEF *mean = &blocks[index][0][0];
        *mean = (JCOEF)(*mean | (int)easel_jpeg_bits_top(&bits, 1) << scan->band.low);
        easel_jpeg_bits_drop(&bits, 1);
    }
    return end_unit(scan, info, &bits);
}

static boolean decode_rest(j_decompress_ptr info, JBLOCKROW *blocks)
{
    progressive_scan *scan = begin_unit(info, blocks);
    easel_jpeg_bits bits = scan->entropy.bits;
    if (scan->band.ended > 0) {
        scan->band.ended -= 1;
    } else if (!easel_jpeg_decode_band(&scan->band, &bits, blocks[0][0], &scan->filled[blocks[0] - scan->blocks])) {
        easel_jpeg_give_up(&scan->entropy);
    }
    return end_unit(scan, info, &bits);
}

static boolean correct_rest(j_decompress_ptr info, JBLOCKROW *blocks)
{
    progressive_scan *scan = begin_unit(info, blocks);
    easel_jpeg_bits bits = scan->entropy.bits;
    if (!easel_jpeg_correct_band(&scan->band, &bits, blocks[0][0], &scan->filled[blocks[0] - scan->blocks])) {
        easel_jpeg_give_up(&scan->entropy);
    }
    return end_unit(scan, info, &bits);
}

static bool make_codes(progressive_scan *scan, const struct jpeg_decompress_struct *info)
{
    if (info->Ss > 0) {
        int table = info->cur_comp_info[0]->ac_tbl_no;
        return table >= 0 && table < NUM_HUFF_TBLS && info->ac_huff_tbl_ptrs[table]
            && easel_jpeg_codes_make(
                &scan->band.codes, info->ac_huff_tbl_ptrs[table],
                info->Ah == 0 ? EASEL_JPEG_COEFFICIENTS : EASEL_JPEG_CORRECTIONS);
    }
    for (int index = 0; index < info->comps_in_scan && info->Ah == 0; index += 1) {
        int table = info->cur_comp_info[index]->dc_tbl_no;
        if (table < 0 || table >= NUM_HUFF_TBLS || !info->dc_huff_tbl_ptrs[table]
            || !easel_jpeg_codes_make(&scan->means[table], info->dc_huff_tbl_ptrs[table], EASEL_JPEG_MEANS)) {
            return false;
        }
    }
    return true;
}

// After libjpeg has checked what the scan says of itself.
static bool begin_scan(progressive_scan *scan, struct jpeg_decompress_struct *info)
{
    if ((info->Ss > 0 && !scan->blocks) || !make_codes(scan, info)) {
        return false;
    }
    easel_jpeg_segment_begin(&scan->entropy, info);
    scan->units_left = (size_t)info->MCUs_per_row * info->MCU_rows_in_scan;
    scan->band.first = info->Ss;
    scan->band.end = info->Se + 1;
    scan->band.low = info->Al;
    scan->band.ended = 0;
    bool is_first = info->Ah == 0;
    info->entropy->decode_mcu = info->Ss == 0 ? is_first ? decode_means : correct_means
        : is_first ? decode_rest : correct_rest;
    return true;
}

// Whether all that the scan tells of has been told up to just these bits: it may be told twice, or not at all.
static bool is_in_turn(const struct jpeg_decompress_struct *info)
{
    for (int index = 0; index < info->comps_in_scan; index += 1) {
        const int *known = info->coef_bits[info->cur_comp_info[index]->component_index];
        for (int place = info->Ss; place <= info->Se; place += 1) {
            if (known[place] != (info->Ah == 0 ? -1 : info->Ah)) {
                return false;
            }
        }
    }
    return true;
}

static void start_pass(j_decompress_ptr info)
{
    progressive_scan *scan = info->client_data;
    // Beyond 63 there is no coefficient: that libjpeg says.
    bool is_right = info->Ss <= info->Se && info->Se < DCTSIZE2 && is_in_turn(info);
    scan->start_pass(info);
    if (!is_right || !begin_scan(scan, info)) {
        easel_jpeg_give_up(&scan->entropy);
    }
}

easel_jpeg_entropy *easel_jpeg_progressive_install(struct jpeg_decompress_struct *info, const easel_jpeg_room *room)
{
    if (info->arith_code || !info->coef_bits) {
        return NULL;
    }
    progressive_scan *scan = info->mem->alloc_small((j_common_ptr)info, JPOOL_IMAGE, sizeof *scan);
    scan->start_pass = info->entropy->start_pass;
    scan->blocks = NULL;
    if (room->start) {
        scan->blocks = (JBLOCKROW)room->start;
        scan->filled = (uint64_t *)(room->start + room->used);
        memset(scan->filled, 0, room->count - room->used);
    }
    if (!begin_scan(scan, info)) {
        return NULL;
    }
    info->client_data = scan;
    info->entropy->start_pass = start_pass;
    return &scan->entropy;
}
