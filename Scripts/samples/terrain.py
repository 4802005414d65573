"""Landscapes: height fields seen from above, lit by one sun, with haze."""

import numpy as np

from noise import fractal, grain, grid, gradient, halve, mix, ramp

# The size of the ground in each direction: no line of sight leaves it.
SIZE = 2048


def normals(heights, steepness):
    """Returns the components of the unit normal at each point of the ground."""
    along_y, along_x = np.gradient(heights * steepness)
    length = np.sqrt(along_x**2 + along_y**2 + 1)
    return -along_x / length, -along_y / length, 1 / length


def shadows(heights, sun, steepness):
    """Returns how much of the sun reaches each point, 0...1."""
    lit = np.ones_like(heights)
    sun_x, sun_y, sun_z = sun
    flat = np.hypot(sun_x, sun_y)
    for step in range(2, 160, 2):
        moved = np.roll(heights, (-int(round(sun_y / flat * step)), -int(round(sun_x / flat * step))), (0, 1))
        clearance = heights + step * sun_z / flat / steepness - moved
        lit = np.minimum(lit, ramp(clearance * steepness, -3, 1))
    return lit


def at(field, row, column):
    """Interpolates the field between its points."""
    top, left = np.floor(row).astype(int), np.floor(column).astype(int)
    down, across = row - top, column - left
    if field.ndim == 3:
        down, across = down[..., None], across[..., None]
    top, left = np.clip(top, 0, SIZE - 2), np.clip(left, 0, SIZE - 2)
    above = field[top, left] * (1 - across) + field[top, left + 1] * across
    below = field[top + 1, left] * (1 - across) + field[top + 1, left + 1] * across
    return above * (1 - down) + below * down


def project(heights, width, height, eye, horizon, focus, near=12.0, far=1400.0, steps=2200):
    """Returns the ground visible at each pixel: distance (infinite for sky), row and column of the field.

    The ground is walked from near to far along every column of the image at once; a pixel sees the first step whose
    ground stands at or above its line of sight.
    """
    distances = near * (far / near) ** np.linspace(0, 1, steps)
    slope = (np.arange(width) - width / 2) / focus
    column = SIZE / 2 + distances[:, None] * slope[None, :]
    row = distances[:, None] + np.zeros_like(column)
    line = horizon * height - (at(heights, row, column) - eye) * focus / distances[:, None]
    skyline = np.minimum.accumulate(line, axis=0)
    rows = np.arange(height)
    first = np.stack([np.searchsorted(-skyline[:, x], -rows) for x in range(width)], axis=1)
    hit = first < steps
    # The true point is between the last step above the ground and the first below it.
    first = np.clip(first, 1, steps - 1)
    across = np.arange(width)[None, :]
    before, after = skyline[first - 1, across], skyline[first, across]
    share = np.clip((before - rows[:, None]) / np.maximum(before - after, 1e-6), 0, 1)
    distance = distances[first - 1] * (1 - share) + distances[first] * share
    return np.where(hit, distance, np.inf), distance, SIZE / 2 + distance * slope[None, :]


def mountains(width=1200, height=800):
    """Snow peaks above dark forests, reflected in a lake."""
    x, y = grid(SIZE, SIZE)
    warp = fractal(x / 260 + 40, y / 260, 5, 4)
    ridges = fractal(x / 560 + warp * 0.5, y / 560 + warp * 0.5, 23, 9, 0.44, ridged=True)
    shore = fractal(x / 150, y / 150, 61, 5)
    massif = np.exp(-(((x - SIZE / 2 - 110) / 330) ** 2) - ((y - 1080) / 300) ** 2)
    # A flat lake, hills beyond its shore, and peaks beyond the hills.
    heights = (
        ridges**1.4 * (170 + 420 * massif) * ramp(y + (ridges - 0.5) * 200, 380, 1050)
        + (shore - 0.47) * 60
        + ramp(y + shore * 160 + np.abs(x - SIZE / 2) * 0.25, 330, 640) * 26
        - ramp(y, 560, 250) * 34
    )

    sun = np.array([-0.80, -0.22, 0.42])
    sun /= np.linalg.norm(sun)
    nx, ny, nz = normals(heights, 0.9)
    rough = fractal(x / 16, y / 16, 31, 5)
    wood = ramp(nz + rough * 0.3, 0.60, 0.85) * ramp(heights - rough * 60, 62, 14) * ramp(heights, 1, 4)
    heights = heights + wood * fractal(x / 3.1, y / 3.1, 77, 2) ** 2 * 8
    nx, ny, nz = normals(heights, 0.9)
    light = np.clip(nx * sun[0] + ny * sun[1] + nz * sun[2], 0, 1) * (0.12 + 0.88 * shadows(heights, sun, 0.9))

    snow = ramp(heights + rough * 90 - (1 - nz) * 170, 85, 125)
    ground = mix((116, 102, 96), (70, 66, 74), rough)
    ground = mix(ground, mix((22, 46, 38), (58, 82, 44), rough), wood)
    ground = mix(ground, (246, 246, 250), snow)
    shade = np.array((0.30, 0.38, 0.54)) * (0.4 + 0.6 * nz[..., None])
    lit = ground * (shade + light[..., None] * np.array((1.50, 1.22, 0.92)))

    wide, tall, horizon = width * 2, height * 2, 0.52
    distance, row, column = project(np.maximum(heights, 0), wide, tall, 20, horizon, wide * 0.95)
    px, py = grid(wide, tall)
    across, down = px / wide, py / tall
    sky = gradient(down / horizon, [(0, (40, 92, 172)), (0.5, (116, 166, 220)), (1, (250, 226, 196))])
    clouds = fractal(across * 4 + 1, down * 13 + 3, 71, 6)
    sky = mix(sky, (255, 246, 236), ramp(clouds, 0.48, 0.76) * 0.8 * ramp(down, 0.50, 0.15))
    haze = 1 - np.exp(-((np.where(np.isinf(distance), 1400, distance) / 1250) ** 2.2))
    air = mix((176, 200, 228), (252, 222, 190), np.exp(-(((across - 0.05) / 0.5) ** 2)) * 0.8)
    land = mix(at(lit, row, column), air, haze)
    image = mix(land, sky, np.isinf(distance))

    # The lake mirrors the landscape about its shore line, distorted by small waves.
    water = (at(heights, row, column) <= 0) & (py > horizon * tall)
    depth = np.maximum(py - np.median(np.argmax(water, axis=0)), 1)
    waves = fractal(px / (depth + 40) * 1.5, 3000 / (depth + 40), 91, 3) - 0.5
    mirror_row = np.clip(py - 2 * depth - waves * (depth * 0.1 + 8), 0, tall - 1).astype(int)
    mirror_column = np.clip(px + waves * np.sqrt(depth) * 1.6, 0, wide - 1).astype(int)
    mirrored = image[mirror_row, mirror_column] * np.array((0.70, 0.80, 0.86)) + np.array((2, 10, 16))
    image = mix(image, mirrored, water)
    return grain(halve(image), 1)


def dunes(width=1200, height=800):
    """A desert in the evening."""
    x, y = grid(SIZE, SIZE)
    warp = fractal(x / 260, y / 260, 8, 3) * 2 - 1
    # A dune rises slowly and falls steeply, like a sawtooth with one soft side.
    phase = (x * 0.35 + y + warp * 190) / 150 + fractal(x / 400, y / 400, 9, 2) * 1.5
    tooth = phase - np.floor(phase)
    tooth = np.where(tooth < 0.72, np.sin(tooth / 0.72 * np.pi / 2) ** 2, np.cos((tooth - 0.72) / 0.28 * np.pi / 2) ** 2)
    size = 0.35 + fractal(x / 220, y / 220, 19, 3)
    heights = tooth * size * 46 + fractal(x / 300, y / 300, 4, 3) * 60
    ripples = np.sin((y * 1.1 + x * 0.25) * 1.15 + fractal(x / 22, y / 22, 15, 3) * 9) * 0.16

    sun = np.array([-0.86, 0.30, 0.30])
    sun /= np.linalg.norm(sun)
    nx, ny, nz = normals(heights + ripples, 1.0)
    light = np.clip(nx * sun[0] + ny * sun[1] + nz * sun[2], 0, 1) * shadows(heights, sun, 1.0)
    sand = mix((214, 138, 78), (232, 166, 98), fractal(x / 30, y / 30, 3, 4))
    lit = sand * (np.array((0.30, 0.27, 0.40)) + light[..., None] * np.array((1.45, 1.12, 0.80)))

    wide, tall = width * 2, height * 2
    distance, row, column = project(heights, wide, tall, 122, 0.36, wide * 0.8)
    px, py = grid(wide, tall)
    across, down = px / wide, py / tall
    sky = gradient(down / 0.42, [(0, (44, 62, 120)), (0.5, (150, 120, 160)), (0.8, (240, 160, 120)), (1, (255, 206, 140))])
    sun_x, sun_y = 0.20, 0.29
    from_sun = np.hypot((across - sun_x) * width / height, down - sun_y)
    glow = np.exp(-from_sun / 0.16)
    sky = sky + glow[..., None] * np.array((120, 90, 40))
    sky = mix(sky, (255, 246, 214), ramp(from_sun, 0.047, 0.043))
    haze = 1 - np.exp(-((np.where(np.isinf(distance), 1300, distance) / 800) ** 1.6))
    air = mix((226, 160, 140), (255, 214, 150), np.exp(-(((across - sun_x) / 0.3) ** 2)))
    land = mix(at(lit, row, column), air, haze)
    image = mix(land, sky, np.isinf(distance))
    return grain(halve(image), 2)
