"""Seamlessly looping animations."""

import math

import numpy as np
from PIL import Image, ImageDraw

from drawings import canvas, disc, reduce, scale


def orbit(width=480, height=360, count=36):
    """Planets around a sun, each in a whole number of turns."""
    planets = [(62, 3, 7, (126, 200, 227), 0.0), (102, 2, 11, (244, 162, 97), 2.1), (146, 1, 15, (138, 201, 138), 4.0),
               (196, 1, 10, (214, 140, 190), 0.9)]
    random = np.random.default_rng(3)
    stars = [(random.uniform(0, width), random.uniform(0, height), random.choice([0.5, 0.7, 1.0])) for _ in range(110)]
    frames = []
    for index in range(count):
        image, draw = canvas(width, height, (13, 16, 38))
        for star_x, star_y, size in stars:
            disc(draw, star_x, star_y, size, (150, 160, 200))
        for radius, *_ in planets:
            box = [width / 2 - radius, height / 2 - radius * 0.62, width / 2 + radius, height / 2 + radius * 0.62]
            draw.ellipse([side * 4 for side in box], outline=(44, 50, 86), width=4)
        bodies = []
        for radius, turns, size, colour, start in planets:
            angle = start + 2 * math.pi * turns * index / count
            for tail in range(26, 0, -1):
                past = angle - tail * 0.028
                fade = 1 - tail / 26
                shade = tuple(int(13 + (part - 13) * fade * 0.55) for part in colour)
                disc(draw, width / 2 + radius * math.cos(past), height / 2 + radius * 0.62 * math.sin(past),
                     size * (0.3 + 0.6 * fade), shade)
            bodies.append((math.sin(angle), angle, radius, size, colour))
        sun = [(36, (58, 42, 48)), (30, (104, 66, 50)), (25, (196, 128, 58)), (21, (255, 206, 92)), (15, (255, 232, 150))]
        drawn = False
        for depth, angle, radius, size, colour in sorted(bodies):
            if depth > 0 and not drawn:
                for glow, shade in sun:
                    disc(draw, width / 2, height / 2, glow, shade)
                drawn = True
            centre_x, centre_y = width / 2 + radius * math.cos(angle), height / 2 + radius * 0.62 * math.sin(angle)
            size *= 1 + 0.18 * depth
            disc(draw, centre_x, centre_y, size, tuple(int(part * 0.55) for part in colour))
            disc(draw, centre_x - math.cos(angle) * size * 0.2, centre_y - math.sin(angle) * size * 0.2, size * 0.82, colour)
        if not drawn:
            for glow, shade in sun:
                disc(draw, width / 2, height / 2, glow, shade)
        frames.append(reduce(image))
    return frames


def pendulums(width=520, height=372, count=72):
    """Fifteen pendulums of different periods, which drift out of phase and back."""
    balls = 15
    frames = []
    for index in range(count):
        image, draw = canvas(width, height, (18, 24, 42))
        draw.rounded_rectangle([60 * 4, 26 * 4, (width - 60) * 4, 36 * 4], radius=20, fill=(84, 96, 130))
        for ball in reversed(range(balls)):
            swing = 0.62 * math.cos(2 * math.pi * (2 + ball) * index / count)
            share = ball / (balls - 1)
            anchor = (96 + share * (width - 192), 34)
            length = 276 - share * 120
            x, y = anchor[0] + math.sin(swing) * length * 0.5, anchor[1] + math.cos(swing) * length
            colour = Image.new("HSV", (1, 1), (int(5 + share * 200), 165, 250)).convert("RGB").getpixel((0, 0))
            draw.line(scale([anchor, (x, y)]), fill=(70, 80, 112), width=6)
            disc(draw, x, y, 15, tuple(int(part * 0.62) for part in colour))
            disc(draw, x - 2, y - 2, 12.5, colour)
            disc(draw, x - 5, y - 6, 4, tuple(int(part + (255 - part) * 0.6) for part in colour))
        frames.append(reduce(image))
    return frames
