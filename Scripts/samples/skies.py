"""Landscapes with light as the subject: sea, night, and forest in mist."""

import numpy as np
from PIL import Image, ImageDraw

from noise import fractal, grain, grid, gradient, halve, mix, ramp


def sunset(width=1200, height=800):
    """A sunset over the sea."""
    wide, tall, horizon = width * 2, height * 2, 0.56
    px, py = grid(wide, tall)
    across, down = px / wide, py / tall
    sun_x, sun_y = 0.62, horizon - 0.075

    def sky(x, y, disc):
        """Returns the sky's colour, with or without the sun; y increases from the top to the horizon."""
        colour = gradient(
            y / horizon,
            [(0, (38, 44, 104)), (0.35, (96, 70, 140)), (0.62, (206, 98, 120)), (0.85, (250, 150, 92)), (1, (255, 206, 118))],
        )
        away = np.hypot((x - sun_x) * width / height, y - sun_y)
        colour = colour + np.exp(-away / 0.13)[..., None] * np.array((120, 90, 30))
        # Clouds lie on a plane, so that they get denser towards the horizon.
        far = 0.16 / np.maximum(horizon + 0.03 - y, 0.03)
        clouds = fractal((x - 0.5) * far * 5 + 9, far * 5.5, 45, 7, 0.52)
        thick = ramp(clouds, 0.50, 0.68) * ramp(y, horizon, horizon - 0.12)
        edge = np.clip(1 - thick, 0, 1) * np.exp(-away / 0.5)
        cloud = mix((82, 56, 112), (238, 112, 104), np.exp(-away / 0.35)) + edge[..., None] * np.array((90, 70, 30))
        colour = mix(colour, cloud, thick)
        return mix(colour, (255, 250, 220), ramp(away, 0.047, 0.042)) if disc else colour

    image = sky(across, np.minimum(down, horizon), disc=True)
    # Each point of the water reflects like a small mirror tilted by waves.
    depth = np.maximum(down - horizon, 1e-4)
    far = 0.05 / (depth + 0.004)
    swell = fractal((across - 0.5) * far * 26 + 50, far * 46, 77, 6, 0.6) - 0.5
    small = fractal((across - 0.5) * far * 110 + 9, far * 150, 97, 3, 0.6) - 0.5
    tilt = swell * 0.30 + small * 0.14
    mirrored = sky(across + tilt * 0.10, np.clip(horizon - depth * 0.9 - np.abs(tilt) * 0.7, 0, horizon), disc=False)
    water = mirrored * mix((0.50, 0.46, 0.62), (0.86, 0.76, 0.74), ramp(depth, 0.30, 0.0))
    path = np.exp(-(((across - sun_x) / (0.026 + depth * 0.22)) ** 2)) * ramp(tilt, -0.035, 0.075)
    water = mix(water, (255, 224, 150), path * 0.95)
    image = np.where((down > horizon)[..., None], water, image)
    return grain(halve(image), 3, 1.5)


def pines(width, height, seed, base, spread, tall, count, clearing=(0, 0)):
    """Returns the silhouettes of conifers along a line and the ground below as a mask 0...1. None grow in the clearing,
    which is given in shares of the width.
    """
    mask = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(mask)
    random = np.random.default_rng(seed)
    for _ in range(count):
        x, size = random.uniform(-20, width + 20), tall * random.uniform(0.55, 1.0)
        foot = base(x) + random.uniform(0, spread)
        if clearing[0] < x / width < clearing[1]:
            continue
        draw.rectangle((x - size * 0.012, foot - size * 0.9, x + size * 0.012, height), fill=255)
        tiers = 17
        for tier in range(tiers):
            share = (tier + 1) / tiers
            y = foot - size * (1.0 - share * 0.97)
            reach = size * (0.012 + 0.19 * share**1.15) * random.uniform(0.75, 1.1)
            droop = size * 0.045 * (0.6 + share)
            draw.polygon([(x, y - size * 0.085), (x - reach, y + droop), (x, y), (x + reach, y + droop)], fill=255)
    draw.line([(x, base(x) + spread) for x in range(0, width, 4)], fill=255, width=4)
    line = np.array([base(x) + spread for x in range(width)])
    return np.maximum(np.asarray(mask, float) / 255, (np.arange(height)[:, None] > line[None, :]).astype(float))


def night(width=800, height=1200):
    """The Milky Way above a tent at the edge of a forest."""
    wide, tall = width * 2, height * 2
    px, py = grid(wide, tall)
    across, down = px / wide, py / tall
    sky = gradient(
        down, [(0, (9, 12, 34)), (0.45, (18, 28, 66)), (0.72, (40, 58, 100)), (0.88, (112, 98, 118)), (1, (170, 120, 100))]
    )
    along = across * 0.55 + down * 0.83
    beside = (across - 0.62) * 0.83 - (down - 0.35) * 0.55
    band = np.exp(-((beside / 0.16) ** 2)) * (0.5 + 0.5 * fractal(across * 4, down * 6, 21, 5))
    dust = ramp(fractal(along * 7 + 3, beside * 16, 27, 7, 0.55), 0.44, 0.66) * np.exp(-((beside / 0.075) ** 2))
    milk = band * (1 - 0.8 * dust) * ramp(down, 0.95, 0.6)
    hue = fractal(across * 5, down * 5, 55, 4)
    sky = sky + milk[..., None] * mix((118, 112, 168), (190, 146, 148), ramp(hue, 0.35, 0.65))

    random = np.random.default_rng(6)
    stars = np.zeros((tall, wide))
    for count, size, least, most in ((9000, 1, 60, 150), (1500, 2, 110, 220), (150, 3, 200, 255)):
        x, y = random.integers(4, wide - 4, count), (random.random(count) ** 0.9 * tall * 0.9).astype(int) + 4
        bright = random.uniform(least, most, count) * (0.45 + milk[y, x])
        for offset_y in range(-size, size + 1):
            for offset_x in range(-size, size + 1):
                fade = max(0.0, 1 - np.hypot(offset_x, offset_y) / (size + 0.6))
                np.maximum.at(stars, (y + offset_y, x + offset_x), bright * fade)
    tint = mix((255, 232, 210), (200, 220, 255), fractal(px / 9, py / 9, 88, 1))
    sky = sky + (stars / 255)[..., None] * tint * ramp(down, 0.92, 0.6)[..., None]

    def hill(x):
        return tall * 0.80 + np.sin(x / wide * 5.5 + 0.6) * tall * 0.018

    image = sky
    far = pines(wide, tall, 2, lambda x: hill(x) - tall * 0.02, 30, tall * 0.12, 120)
    image = mix(image, (26, 36, 62), far)

    def bank(x):
        return tall * (0.855 + 0.03 * np.cos((x / wide - 0.52) * 6))

    near = pines(wide, tall, 4, bank, tall * 0.02, tall * 0.27, 70, clearing=(0.27, 0.77))
    image = mix(image, (7, 11, 20), near)

    centre_x, foot, size = 0.52 * wide, 0.935 * tall, 0.105 * wide
    lamp = np.exp(-np.hypot((px - centre_x) / 2.2, (py - foot) / 0.75) / (size * 0.55))
    image = image + lamp[..., None] * np.array((150, 92, 36))
    tent = Image.new("L", (wide, tall), 0)
    ImageDraw.Draw(tent).polygon(
        [(centre_x - size * 1.25, foot), (centre_x - size * 0.1, foot - size * 1.15), (centre_x + size * 1.25, foot)], fill=255
    )
    inside = np.asarray(tent, float) / 255
    glow = np.exp(-np.hypot(px - centre_x, (py - foot + size * 0.25) * 1.1) / (size * 0.8))
    cloth = mix((150, 58, 22), (255, 214, 120), glow) * (1 - 0.18 * (np.abs(px - centre_x + size * 0.1) < 5))[..., None]
    image = mix(image, cloth, inside)
    return grain(halve(image), 2, 2)


def forest(width=1000, height=720):
    """A forested valley in mist, lit from the left."""
    wide, tall = width * 2, height * 2
    px, py = grid(wide, tall)
    across, down = px / wide, py / tall
    light = np.exp(-np.hypot((across - 0.24) * 1.3, down - 0.10) / 0.42)
    image = gradient(down, [(0, (150, 190, 186)), (0.5, (226, 226, 190)), (1, (214, 206, 160))])
    image = image + light[..., None] * np.array((86, 62, 26))
    layers = 6
    for layer in range(layers):
        share = layer / (layers - 1)
        level, swing, tallest = 0.30 + 0.56 * share**1.15, 0.09 * (1 - share * 0.5), 0.085 + 0.26 * share**1.6

        def line(x, layer=layer, level=level, swing=swing):
            phase = x / wide * (2.6 + layer * 0.5) + layer * 2.1
            return tall * (level + swing * np.sin(phase) + 0.02 * np.sin(phase * 3.1 + 1))

        trees = pines(wide, tall, 60 + layer, line, tall * 0.05, tall * tallest, int(170 * (1 - share) + 34))
        body = mix((142, 178, 160), (12, 36, 34), share**0.75) + light[..., None] * np.array((70, 52, 16)) * (1 - share * 0.7)
        # Mist rises from every valley and thins with height.
        edge = line(px)
        mist = ramp(py - edge, -tall * 0.02, tall * 0.22) * (0.92 - 0.55 * share)
        mist = mist * (0.75 + 0.5 * (fractal(across * 5 + layer, down * 11, 80 + layer, 4) - 0.5))
        fog = mix((206, 214, 190), (250, 226, 170), light)
        image = mix(image, mix(body, fog, mist), trees)
    angle = np.arctan2(down + 0.12, (across - 0.20) * 1.3)
    rays = ramp(fractal(angle * 9, angle * 0 + 4, 12, 3), 0.42, 0.80) * np.exp(-np.hypot(across - 0.2, down + 0.1) / 0.55)
    image = image + rays[..., None] * np.array((46, 38, 18))
    return grain(halve(image), 5, 1)
