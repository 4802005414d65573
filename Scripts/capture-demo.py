#!/usr/bin/env python3
"""Runs the demo in a terminal and renders its output as the image of the README.

    pip install pillow==13.0.0
    make build && python3 Scripts/capture-demo.py [image [command ...]]

Needs tmux and the font DejaVu Sans Mono.
"""

import re
import shlex
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[1]
COLUMNS, ROWS = 180, 62
FONT_SIZE, MARGIN = 11, 18
FOREGROUND, BACKGROUND = (214, 218, 228), (22, 24, 33)
FONTS = Path("/usr/share/fonts/truetype/dejavu")
DONE = "capture-finished"
NAMED = [
    (40, 42, 54), (224, 82, 82), (98, 190, 110), (222, 184, 88), (90, 150, 232), (190, 120, 214), (82, 190, 200), (204, 208, 218),
    (98, 104, 122), (255, 120, 120), (134, 220, 146), (250, 214, 122), (128, 180, 255), (216, 156, 238), (120, 220, 228), (255, 255, 255),
]
# The quarters of a cell that a block character fills: upper left, upper right, lower left, lower right.
QUADRANTS = {
    "▘": "1000", "▝": "0100", "▖": "0010", "▗": "0001", "▚": "1001", "▞": "0110",
    "▛": "1110", "▜": "1101", "▙": "1011", "▟": "0111",
}


def capture(command):
    """Returns the lines of a tmux pane after running the command, with colours."""
    session = ["tmux", "-L", f"easel-capture-{time.time_ns()}", "-f", "/dev/null"]
    script = f"{command}; tmux wait-for -S {DONE}; sleep 3600"
    # tmux would add erased progress lines to the history, which is captured.
    options = ["start-server", ";", "set-option", "-g", "scroll-on-clear", "off", ";"]
    subprocess.run(
        [*session, *options, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(ROOT),
         "env", "COLORTERM=truecolor", "TERM=tmux-256color", "sh", "-c", script],
        check=True)
    try:
        subprocess.run([*session, "wait-for", DONE], check=True, timeout=120)
        pane = subprocess.run([*session, "capture-pane", "-e", "-p", "-S", "-"], check=True, capture_output=True, text=True)
    finally:
        subprocess.run([*session, "kill-server"], check=False)
    return pane.stdout.rstrip("\n").split("\n")


def palette_colour(number):
    """Returns a colour of the 256-colour palette of terminals."""
    if number < 16:
        return NAMED[number]
    if number < 232:
        number -= 16
        return tuple(0 if part == 0 else 55 + 40 * part for part in (number // 36, number // 6 % 6, number % 6))
    return (8 + 10 * (number - 232),) * 3


class Style:
    """The style of a cell according to the escape sequences so far."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.ink, self.paper, self.bold, self.dim, self.reverse = None, None, False, False, False

    def apply(self, sequence):
        codes = [int(code or 0) for code in sequence.replace(":", ";").split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 22):
                self.bold, self.dim = code == 1, self.dim and code == 1
            elif code == 2:
                self.dim = True
            elif code in (7, 27):
                self.reverse = code == 7
            elif code in (38, 48):
                kind = codes.pop(0)
                colour = palette_colour(codes.pop(0)) if kind == 5 else tuple(codes.pop(0) for _ in range(3))
                self.ink, self.paper = (colour, self.paper) if code == 38 else (self.ink, colour)
            elif code in (39, 49):
                self.ink, self.paper = (None, self.paper) if code == 39 else (self.ink, None)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.ink = NAMED[code - 30 if code < 40 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.paper = NAMED[code - 40 if code < 50 else code - 92]

    def colours(self):
        ink, paper = self.ink or FOREGROUND, self.paper or BACKGROUND
        if self.dim:
            ink = tuple((a + b) // 2 for a, b in zip(ink, paper))
        return (paper, ink) if self.reverse else (ink, paper)


def cells(line):
    """Returns the line's characters, each with its foreground, background and weight."""
    style = Style()
    for sequence, other, character in re.findall(r"\x1b\[([\d;:]*)m|(\x1b\[[^@-~]*[@-~]|\x0e|\x0f)|(.)", line):
        if character:
            yield (character, *style.colours(), style.bold)
        elif not other:
            style.apply(sequence)


def draw_lines(lines):
    plain, bold = (ImageFont.truetype(str(FONTS / f"DejaVuSansMono{weight}.ttf"), FONT_SIZE) for weight in ("", "-Bold"))
    width, height = round(plain.getlength("M")), sum(plain.getmetrics())
    size = (COLUMNS * width + 2 * MARGIN, len(lines) * height + 2 * MARGIN)
    image = Image.new("RGB", size, BACKGROUND)
    draw = ImageDraw.Draw(image)
    for row, line in enumerate(lines):
        column = 0
        for character, ink, paper, heavy in cells(line):
            x, y = MARGIN + column * width, MARGIN + row * height
            span = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            draw.rectangle((x, y, x + span * width - 1, y + height - 1), fill=paper)
            # Blocks are drawn as rectangles, because the font's glyphs leave seams between cells.
            middle, right, bottom = y + height // 2, x + width - 1, y + height - 1
            if character in QUADRANTS:
                for part, (left, top) in zip(QUADRANTS[character], [(x, y), (x + width // 2, y), (x, middle), (x + width // 2, middle)]):
                    if part == "1":
                        draw.rectangle((left, top, left + width - width // 2 - 1, top + height - height // 2 - 1), fill=ink)
            elif character in "▀▄█":
                draw.rectangle((x, middle if character == "▄" else y, right, middle - 1 if character == "▀" else bottom), fill=ink)
            elif character != " ":
                draw.text((x, y), character, font=bold if heavy else plain, fill=ink)
            column += span
    return image


def main(arguments):
    image = Path(arguments[0]) if arguments else ROOT / "Documentation/demo.png"
    command = shlex.join(arguments[1:]) or ".build/release/easel demo"
    lines = capture(command)
    draw_lines(lines).save(image, optimize=True)
    print(f"{image}: {len(lines)} lines, {image.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
