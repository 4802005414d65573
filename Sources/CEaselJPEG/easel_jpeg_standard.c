#include "easel_jpeg_standard.h"

#include <pthread.h>
#include <string.h>

struct easel_jpeg_standard {
    easel_jpeg_codes codes;
    easel_jpeg_pairs pairs;
    easel_jpeg_skips skips;
};

enum { LUMINANCE, CHROMINANCE, COUNT };

// How many codes of each length there are, from 1 on, and what they stand for.
static const JHUFF_TBL mean_tables[COUNT] = {
    {
        .bits = { 0, 0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 },
        .huffval = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        },
    },
    {
        .bits = { 0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0 },
        .huffval = {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        },
    },
};
static const JHUFF_TBL tables[COUNT] = {
    {
        .bits = { 0, 0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125 },
        .huffval = {
            1, 2, 3, 0, 4, 17, 5, 18, 33, 49, 65, 6, 19, 81, 97, 7, 34, 113, 20, 50,
            129, 145, 161, 8, 35, 66, 177, 193, 21, 82, 209, 240, 36, 51, 98, 114, 130, 9, 10, 22,
            23, 24, 25, 26, 37, 38, 39, 40, 41, 42, 52, 53, 54, 55, 56, 57, 58, 67, 68, 69,
            70, 71, 72, 73, 74, 83, 84, 85, 86, 87, 88, 89, 90, 99, 100, 101, 102, 103, 104, 105,
            106, 115, 116, 117, 118, 119, 120, 121, 122, 131, 132, 133, 134, 135, 136, 137, 138, 146, 147, 148,
            149, 150, 151, 152, 153, 154, 162, 163, 164, 165, 166, 167, 168, 169, 170, 178, 179, 180, 181, 182,
            183, 184, 185, 186, 194, 195, 196, 197, 198, 199, 200, 201, 202, 210, 211, 212, 213, 214, 215, 216,
            217, 218, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 241, 242, 243, 244, 245, 246, 247, 248,
            249, 250,
        },
    },
    {
        .bits = { 0, 0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119 },
        .huffval = {
            0, 1, 2, 3, 17, 4, 5, 33, 49, 6, 18, 65, 81, 7, 97, 113, 19, 34, 50, 129,
            8, 20, 66, 145, 161, 177, 193, 9, 35, 51, 82, 240, 21, 98, 114, 209, 10, 22, 36, 52,
            225, 37, 241, 23, 24, 25, 26, 38, 39, 40, 41, 42, 53, 54, 55, 56, 57, 58, 67, 68,
            69, 70, 71, 72, 73, 74, 83, 84, 85, 86, 87, 88, 89, 90, 99, 100, 101, 102, 103, 104,
            105, 106, 115, 116, 117, 118, 119, 120, 121, 122, 130, 131, 132, 133, 134, 135, 136, 137, 138, 146,
            147, 148, 149, 150, 151, 152, 153, 154, 162, 163, 164, 165, 166, 167, 168, 169, 170, 178, 179, 180,
            181, 182, 183, 184, 185, 186, 194, 195, 196, 197, 198, 199, 200, 201, 202, 210, 211, 212, 213, 214,
            215, 216, 217, 218, 226, 227, 228, 229, 230, 231, 232, 233, 234, 242, 243, 244, 245, 246, 247, 248,
            249, 250,
        },
    },
};

static easel_jpeg_codes means[COUNT];
static easel_jpeg_standard standards[COUNT];
static bool is_made;

static void make(void)
{
    is_made = true;
    for (int index = 0; index < COUNT; index += 1) {
        easel_jpeg_standard *standard = &standards[index];
        is_made = is_made && easel_jpeg_codes_make(&means[index], &mean_tables[index], EASEL_JPEG_MEANS)
            && easel_jpeg_codes_make(&standard->codes, &tables[index], EASEL_JPEG_COEFFICIENTS);
        easel_jpeg_pairs_make(standard->pairs, &standard->codes);
    }
}

static void make_skips(void)
{
    for (int index = 0; index < COUNT; index += 1) {
        easel_jpeg_skips_make(standards[index].skips, &standards[index].codes);
    }
}

static bool is_ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, make) == 0 && is_made;
}

// Which of the tables has the same codes; COUNT for none.
static int find(const JHUFF_TBL *table, const JHUFF_TBL candidates[COUNT])
{
    for (int index = 0; index < COUNT; index += 1) {
        const JHUFF_TBL *candidate = &candidates[index];
        size_t count = 0;
        for (int length = 1; length <= 16; length += 1) {
            count += candidate->bits[length];
        }
        // What stands before the first length and behind the last symbol means nothing.
        if (memcmp(table->bits + 1, candidate->bits + 1, 16) == 0
            && memcmp(table->huffval, candidate->huffval, count) == 0) {
            return index;
        }
    }
    return COUNT;
}

const easel_jpeg_standard *easel_jpeg_standard_find(const JHUFF_TBL *table)
{
    int index = find(table, tables);
    return index < COUNT && is_ready() ? &standards[index] : NULL;
}

const easel_jpeg_codes *easel_jpeg_standard_codes(const easel_jpeg_standard *standard)
{
    return &standard->codes;
}

const uint64_t *easel_jpeg_standard_pairs(const easel_jpeg_standard *standard)
{
    return standard->pairs;
}

// They take longest to make, and only thumbnails at an eighth want them.
const uint16_t *easel_jpeg_standard_skips(const easel_jpeg_standard *standard)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, make_skips) == 0 ? standard->skips : NULL;
}

const easel_jpeg_codes *easel_jpeg_standard_means(const JHUFF_TBL *table)
{
    int index = find(table, mean_tables);
    return index < COUNT && is_ready() ? &means[index] : NULL;
}
