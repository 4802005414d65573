"""Drawings of flat shapes, drawn at a larger scale and reduced for smooth edges."""

import math

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from noise import fractal, grid, gradient, mix, ramp

# The scale of drawing, for smooth edges after reduction.
SCALE = 4


def canvas(width, height, colour):
    image = Image.new("RGBA" if len(colour) == 4 else "RGB", (width * SCALE, height * SCALE), colour)
    return image, ImageDraw.Draw(image)


def reduce(image):
    return image.resize((image.width // SCALE, image.height // SCALE), Image.Resampling.LANCZOS)


def scale(points):
    return [(x * SCALE, y * SCALE) for x, y in points]


def disc(draw, x, y, radius, colour):
    draw.ellipse([(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE], fill=colour)


def poster(width=720, height=960):
    """A poster of a fictional coast."""
    image, draw = canvas(width, height, (250, 238, 214))
    left, top, right, bottom = 40, 40, width - 40, height - 130
    scene, pen = canvas(width, height, (244, 196, 136))
    for ring, colour in enumerate([(246, 186, 118), (247, 170, 104), (246, 152, 94), (242, 132, 86)]):
        disc(pen, 430, 330, 420 - ring * 75, colour)
    disc(pen, 430, 330, 118, (255, 244, 214))

    def ridge(points, colour):
        pen.polygon(scale([(0, height), *points, (width, height)]), fill=colour)

    ridge([(0, 470), (110, 380), (190, 430), (300, 300), (420, 430), (520, 370), (640, 470), (720, 430)], (214, 110, 92))
    pen.polygon(scale([(300, 300), (420, 430), (370, 500), (330, 420), (310, 380)]), fill=(186, 86, 84))
    pen.polygon(scale([(110, 380), (190, 430), (170, 500), (130, 440)]), fill=(186, 86, 84))
    ridge([(0, 560), (90, 500), (230, 560), (380, 470), (560, 570), (720, 500)], (150, 74, 92))
    pen.polygon(scale([(380, 470), (560, 570), (520, 640), (430, 580)]), fill=(124, 60, 84))
    pen.rectangle([0, 600 * SCALE, width * SCALE, height * SCALE], fill=(38, 104, 128))
    for band in range(7):
        y = 622 + band * 24 + band * band * 1.6
        reach = 150 - band * 9
        shift = 26 * math.sin(band * 2.3)
        pen.rounded_rectangle(
            [(430 - reach + shift) * SCALE, y * SCALE, (430 + reach + shift) * SCALE, (y + 7 + band) * SCALE],
            radius=6 * SCALE, fill=(252, 214, 150),
        )
    hull = [(196, 690), (308, 690), (286, 722), (216, 722)]
    pen.polygon(scale(hull), fill=(250, 238, 214))
    pen.polygon(scale([(248, 684), (248, 560), (310, 676)]), fill=(255, 248, 232))
    pen.polygon(scale([(240, 684), (240, 580), (196, 680)]), fill=(232, 104, 78))
    shore = [(x, 800 - 70 * math.sin((x - 60) / 720 * 2.6) * (x / 720) + 12 * math.sin(x / 60)) for x in range(0, 721, 8)]
    ridge(shore, (28, 54, 70))
    for x, y, size in ((590, 776, 300), (650, 764, 380), (694, 770, 250)):
        leaf = [(x + size * 0.105 * math.sin(math.pi * t) ** 0.7 * side, y - size * t) for side in (1, -1)
                for t in (np.linspace(0, 1, 30) if side == 1 else np.linspace(1, 0, 30))]
        pen.polygon(scale(leaf), fill=(20, 70, 72))
        pen.polygon(scale([(px, py) if px > x else (x, py) for px, py in leaf]), fill=(14, 52, 60))
    window = Image.new("L", image.size, 0)
    ImageDraw.Draw(window).rounded_rectangle(
        [left * SCALE, top * SCALE, right * SCALE, bottom * SCALE], radius=14 * SCALE, fill=255
    )
    image.paste(scene, (0, 0), window)
    font = ImageFont.load_default(size=58 * SCALE)
    letters = "COSTA EASEL"
    widths = [font.getlength(letter) + 13 * SCALE for letter in letters]
    x = (width * SCALE - sum(widths) + 13 * SCALE) / 2
    for letter, advance in zip(letters, widths):
        draw.text((x, (height - 66) * SCALE), letter, font=font, fill=(28, 54, 70), anchor="lm")
        x += advance
    return reduce(image)


def blocks(width=960, height=720):
    """A town of blocks, seen from above."""
    image, draw = canvas(width, height, (24, 30, 54))
    tile, count = 52, 15
    centre = width / 2

    def corner(x, y, z):
        return (centre + (x - y) * tile * 0.5 * 1.22, 150 + (x + y) * tile * 0.5 * 0.66 - z)

    ramps = [(0, (46, 196, 182)), (0.35, (124, 214, 160)), (0.6, (255, 209, 102)), (0.82, (255, 127, 92)), (1, (231, 76, 116))]
    random = np.random.default_rng(12)
    for x in range(count):
        for y in range(count):
            away = math.hypot(x - 6.5, y - 7.2)
            swell = math.exp(-(away / 3.4) ** 2) * 0.95 + 0.42 * math.exp(-(math.hypot(x - 12.5, y - 2.5) / 2.3) ** 2)
            share = min(1.0, swell * 0.9 + random.random() * 0.24)
            tall = 12 + share * 150
            colour = gradient(np.array([share]), ramps)[0]
            inset = 0.06
            a, b = x + inset, y + inset
            c, d = x + 1 - inset, y + 1 - inset
            faces = [
                ([corner(a, d, 0), corner(c, d, 0), corner(c, d, tall), corner(a, d, tall)], 0.72),
                ([corner(c, b, 0), corner(c, d, 0), corner(c, d, tall), corner(c, b, tall)], 0.48),
                ([corner(a, b, tall), corner(c, b, tall), corner(c, d, tall), corner(a, d, tall)], 1.0),
            ]
            for points, light in faces:
                shade = colour * light + np.array((24, 30, 54)) * (1 - light) * 0.6
                draw.polygon(scale(points), fill=tuple(int(v) for v in shade))
            for floor in range(1, int(tall // 24)):
                for step in range(3):
                    if random.random() < 0.55:
                        u, z = a + (step + 0.3) * (c - a) / 3, floor * 24
                        pane = [corner(u, d, z), corner(u + 0.15, d, z), corner(u + 0.15, d, z + 9), corner(u, d, z + 9)]
                        draw.polygon(scale(pane), fill=(255, 240, 196))
    return reduce(image)


def flower(side=680):
    """A dahlia with soft edges on a transparent background."""
    x, y = grid(side * 2, side * 2)
    x, y = (x - side) / side, (y - side) / side
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    colour, alpha = np.zeros((*radius.shape, 3)), np.zeros(radius.shape)
    rings = 9
    for ring in range(rings):
        share = ring / (rings - 1)
        reach, petals = 0.83 * (1 - share) ** 0.9 + 0.15, 20 - ring
        turn = ring * 2.39996
        around = (angle + turn) * petals / (2 * math.pi)
        beside = (around - np.round(around)) * 2
        # A petal is widest at two thirds of its length and ends in a point.
        length = np.clip(radius / reach, 0, 1)
        breadth = np.clip(length * 1.9, 0, 1) ** 0.5 * np.sqrt(np.clip(1 - length**5, 0, 1)) * 0.99
        inside = ramp(breadth - np.abs(beside), 0, 0.05) * (radius < reach)
        vein = 0.90 + 0.10 * np.cos(beside * 9) * (1 - np.abs(beside))
        petal = gradient(length, [(0, (120, 18, 70)), (0.5, (226, 52, 102)), (0.85, (255, 126, 128)), (1, (255, 206, 178))])
        petal = mix(petal, (255, 190, 92), np.full(radius.shape, share * 0.55))
        light = 0.80 + 0.22 * (1 - np.abs(beside)) * vein - 0.10 * np.cos(angle - 0.9)
        # Each ring casts a shadow on the one below.
        edge = ramp(radius, reach * 1.16, reach * 0.80)
        colour = colour * (1 - 0.45 * edge[..., None] * (ring > 0))
        colour = mix(colour, petal * light[..., None], inside)
        alpha = np.maximum(alpha, inside)
    heart = ramp(radius, 0.125, 0.105)
    seeds = 0.75 + 0.4 * fractal(x * 40 + 99, y * 40 + 99, 3, 2)
    colour = mix(colour, np.array((250, 190, 60)) * seeds[..., None], heart)
    pixels = np.concatenate([np.clip(colour, 0, 255), np.clip(alpha * 255, 0, 255)[..., None]], axis=-1)
    # The mean of four pixels must weight colours by opacity, or edges darken.
    premultiplied = np.concatenate([pixels[..., :3] * pixels[..., 3:] / 255, pixels[..., 3:]], axis=-1)
    small = premultiplied.reshape(side, 2, side, 2, 4).mean(axis=(1, 3))
    small[..., :3] = small[..., :3] * 255 / np.maximum(small[..., 3:], 1)
    return Image.fromarray(np.clip(small, 0, 255).astype(np.uint8), "RGBA")


def chart(width=900, height=600):
    """A stream graph of fictional data, with a palette."""
    image, draw = canvas(width, height, (252, 250, 245))
    colours = [(38, 70, 83), (42, 157, 143), (138, 177, 125), (233, 196, 106), (244, 162, 97), (231, 111, 81), (158, 66, 92)]
    left, right, top, bottom = 70, width - 40, 96, height - 70
    steps = np.linspace(0, 1, 240)
    layers = []
    for index in range(len(colours)):
        value = 0.45 + 0.3 * np.sin(steps * (4 + index * 0.9) + index * 1.7) + 1.1 * np.exp(
            -(((steps - 0.12 - index * 0.125) / 0.13) ** 2))
        layers.append(np.clip(value, 0.08, None))
    total = np.sum(layers, axis=0)
    unit = (bottom - top) * 0.98 / total.max()
    for line in range(6):
        y = top + (bottom - top) * line / 5
        draw.line(scale([(left, y), (right, y)]), fill=(228, 224, 214), width=SCALE)
    base = (top + bottom) / 2 - total * unit / 2
    xs = left + steps * (right - left)
    for layer, colour in zip(layers, colours):
        above, base = base, base + layer * unit
        outline = list(zip(xs, above)) + list(zip(xs[::-1], base[::-1]))
        draw.polygon(scale(outline), fill=colour)
        draw.line(scale(list(zip(xs, above))), fill=(252, 250, 245), width=2 * SCALE)
    title, small = ImageFont.load_default(size=30 * SCALE), ImageFont.load_default(size=17 * SCALE)
    draw.text((left * SCALE, 46 * SCALE), "Images loaded, by year", font=title, fill=(38, 70, 83), anchor="lm")
    for year in range(7):
        x = left + (right - left) * year / 6
        draw.line(scale([(x, bottom), (x, bottom + 8)]), fill=(120, 120, 120), width=SCALE)
        draw.text((x * SCALE, (bottom + 26) * SCALE), str(2020 + year), font=small, fill=(90, 90, 90), anchor="mm")
    return reduce(image).quantize(64, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def balloon(width=640, height=800):
    """A shaded hot-air balloon on a transparent background."""
    wide, tall = width * 2, height * 2
    x, y = grid(wide, tall)
    x, y = (x - wide / 2) / (wide / 2), (y / tall)
    # The envelope: a sphere that narrows to the mouth below.
    share = np.clip((y - 0.03) / 0.67, 0, 1)
    half = 0.94 * np.sqrt(np.clip(1 - ((share - 0.44) / 0.44) ** 2, 0, 1))
    taper = np.where(share > 0.44, 0.94 * np.cos(np.clip((share - 0.44) / 0.56, 0, 1) * 1.37) ** 0.86, half)
    across = np.clip(x / np.maximum(taper, 1e-3), -1, 1)
    envelope = ramp(taper - np.abs(x), 0, 0.012) * (y > 0.03) * (y < 0.70)
    gore = np.arcsin(across) / np.pi * 12
    stripe = np.floor(gore + 6).astype(int) % 4
    palette = np.array([(232, 72, 72), (250, 240, 220), (28, 110, 140), (250, 240, 220)], float)
    band = (np.abs(share - 0.5) < 0.075 + 0.02 * np.sin(gore * np.pi * 2))[..., None]
    colour = np.where(band, np.array((248, 186, 72), float), palette[stripe])
    seam = 1 - 0.20 * np.exp(-(((gore - np.round(gore)) / 0.07) ** 2))
    light = 0.42 + 0.72 * np.clip(0.62 - across * 0.55 - (share - 0.42) * 0.5, 0, 1) + 0.06 * np.cos((gore % 1 - 0.5) * np.pi)
    colour = colour * (light * seam)[..., None]
    shine = np.exp(-(((across + 0.42) / 0.16) ** 2) - ((share - 0.25) / 0.14) ** 2)
    colour, alpha = mix(colour, (255, 255, 255), shine * 0.35), envelope
    rope = (np.abs(np.abs(x) - (0.155 - (y - 0.70) * 0.35)) < 0.007) & (y >= 0.69) & (y < 0.86)
    colour, alpha = mix(colour, (70, 50, 40), rope), np.maximum(alpha, rope)
    basket = (np.abs(x) < 0.125 - (y - 0.85) * 0.18) & (y >= 0.85) & (y < 0.955)
    weave = 0.72 + 0.22 * np.sin(x * 210) * np.sin(y * 420) - x * 1.6
    colour = np.where(basket[..., None], np.array((168, 108, 56)) * weave[..., None], colour)
    colour = mix(colour, (96, 58, 34), basket & (y < 0.865))
    flame = np.exp(-((x / 0.03) ** 2) - (((y - 0.745) / 0.028) ** 2))
    colour = mix(colour, (255, 200, 80), ramp(flame, 0.3, 0.8) * (y > 0.70))
    alpha = np.maximum(np.maximum(alpha, basket), ramp(flame, 0.2, 0.7) * (y > 0.70))
    pixels = np.concatenate([np.clip(colour, 0, 255), alpha[..., None] * 255], axis=-1)
    return Image.fromarray(pixels.astype(np.uint8), "RGBA").resize((width, height), Image.Resampling.BOX)
