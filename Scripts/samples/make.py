#!/usr/bin/env python3
"""Recreates the sample images, deterministically.

    pip install -r Scripts/samples/requirements.txt
    python3 Scripts/samples/make.py [folder]

Needed only to change an image; the images are in the repository.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import animations
import drawings
import skies
import terrain

FOLDER = Path(__file__).resolve().parents[2] / "Sources/EaselCommand/Samples"
ORIENTATION = 0x0112


def image(pixels):
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def turn(upright):
    """Returns the image rotated, with an EXIF orientation, as a camera in portrait position stores it."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    return upright.transpose(Image.Transpose.ROTATE_90), exif


def save_gif(frames, path):
    """Saves a GIF with one palette for all frames, to avoid flicker."""
    strip = Image.new("RGB", (frames[0].width, frames[0].height * len(frames)))
    for index, frame in enumerate(frames):
        strip.paste(frame, (0, index * frame.height))
    palette = strip.quantize(96, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    indexed = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    indexed[0].save(path, save_all=True, append_images=indexed[1:], duration=70, loop=0, optimize=False, disposal=1)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    image(terrain.mountains()).save(folder / "mountains.jpg", quality=80, optimize=True)
    image(terrain.dunes()).save(folder / "dunes.jpg", quality=80, optimize=True)
    image(skies.sunset()).save(folder / "sunset.jpg", quality=82, progressive=True, optimize=True)
    night, exif = turn(image(skies.night()))
    night.save(folder / "night.jpg", quality=80, optimize=True, exif=exif)
    image(skies.forest()).save(folder / "forest.webp", quality=78, method=6)
    drawings.balloon().save(folder / "balloon.webp", quality=82, method=6)
    drawings.blocks().save(folder / "blocks.webp", lossless=True, quality=100, method=6)
    drawings.poster().save(folder / "poster.png", optimize=True)
    drawings.flower().save(folder / "flower.png", optimize=True)
    drawings.chart().save(folder / "chart.png", optimize=True)
    save_gif(animations.orbit(), folder / "orbit.gif")
    swings = animations.pendulums()
    swings[0].save(
        folder / "pendulums.webp", save_all=True, append_images=swings[1:], duration=50, loop=0, quality=60, method=6
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
