#ifndef EASEL_LIGHT_H
#define EASEL_LIGHT_H

#include "easel_vectors.h"

#pragma clang fp contract(off)

static inline __attribute__((always_inline)) float easel_straight_light(uint32_t component, uint32_t alpha, const float *lights)
{
    uint32_t level = (component * 255 + alpha / 2) / alpha;
    return lights[level < 255 ? level : 255];
}

// Returns the premultiplied light of a premultiplied pixel. Levels are not linear, so alpha is divided out first.
static inline f32x4 easel_light_of_pixel(const uint8_t *pixel, const float *lights)
{
    uint32_t alpha = pixel[3];
    if (alpha == 255) return (f32x4){lights[pixel[0]], lights[pixel[1]], lights[pixel[2]], 1};
    if (alpha == 0) return (f32x4){0};
    f32x4 light = {easel_straight_light(pixel[0], alpha, lights), easel_straight_light(pixel[1], alpha, lights),
        easel_straight_light(pixel[2], alpha, lights), 1};
    return light * ((float)alpha / 255);
}

#endif
