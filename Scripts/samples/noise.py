"""Deterministic noise, and common arithmetic for images."""

import numpy as np


def smooth(values):
    """Smoothly interpolates 0...1, flat at both ends."""
    return values * values * values * (values * (values * 6 - 15) + 10)


def ramp(values, low, high):
    """Returns 0 up to `low`, 1 from `high`, and smooth values between."""
    return smooth(np.clip((values - low) / (high - low), 0, 1))


def lattice(x, y, seed, size=256):
    """Value noise at the points (x, y), 0...1, which repeats every `size` units."""
    table = np.random.default_rng(seed).random((size, size))
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    across, down = smooth(x - column), smooth(y - row)
    column, row = column % size, row % size
    right, below = (column + 1) % size, (row + 1) % size
    top = table[row, column] * (1 - across) + table[row, right] * across
    bottom = table[below, column] * (1 - across) + table[below, right] * across
    return top * (1 - down) + bottom * down


def fractal(x, y, seed, octaves=6, gain=0.5, ridged=False):
    """Fractal noise, about 0...1. Ridged noise has sharp crests like mountains."""
    total, weight, amplitude = 0.0, 0.0, 1.0
    for octave in range(octaves):
        # Each octave is rotated and scaled, so that no grid is visible.
        angle, scale = 0.6 * octave, 2.0**octave
        turned_x = (x * np.cos(angle) - y * np.sin(angle)) * scale
        turned_y = (x * np.sin(angle) + y * np.cos(angle)) * scale
        value = lattice(turned_x, turned_y, seed + octave)
        if ridged:
            value = (1 - np.abs(2 * value - 1)) ** 2
        total, weight = total + value * amplitude, weight + amplitude
        amplitude *= gain
    return total / weight


def mix(first, second, share):
    """Mixes two colours; `share` may be a number or an array."""
    share = np.asarray(share, dtype=float)[..., None]
    return np.asarray(first, float) * (1 - share) + np.asarray(second, float) * share


def gradient(values, stops):
    """Returns the gradient colours at `values`; `stops` are pairs of position and colour."""
    positions = [position for position, _ in stops]
    return np.stack(
        [np.interp(values, positions, [colour[channel] for _, colour in stops]) for channel in range(3)], axis=-1
    )


def grid(width, height):
    """Returns the coordinates of the pixels."""
    return np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))


def halve(pixels):
    """Halves the size by averaging four pixels each, to smooth edges."""
    height, width = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    pixels = pixels[:height, :width]
    return (pixels[0::2, 0::2] + pixels[1::2, 0::2] + pixels[0::2, 1::2] + pixels[1::2, 1::2]) / 4


def grain(pixels, seed, strength=2.5):
    """Adds film grain, which also hides banding in gradients."""
    noise = np.random.default_rng(seed).normal(0, strength, pixels.shape[:2])
    return pixels + noise[..., None]
