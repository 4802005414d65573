"""Python's image libraries as peers. Reads JSON lists with the work and writes JSON lists with the result, one per line.

The argument names the library. A result starts with the nanoseconds of the work, by this process's clock. It is empty if the
library lacks the function. Everything runs on one thread, as in Easel.
"""

import ctypes
import gc
import io
import json
import os
import sys
import time

from system_libraries import SystemLibraries

os.environ["VIPS_CONCURRENCY"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"


class Pillow:
    def __init__(self):
        from PIL import Image

        Image.MAX_IMAGE_PIXELS = None
        self.Image = Image

    def decode(self, path):
        with self.Image.open(path) as image:
            rgba = image.convert("RGBA")
        return rgba.size

    def thumbnail(self, path, width, height):
        with self.Image.open(path) as image:
            image.draft("RGB", (width * 2, height * 2))
            small = image.resize((width, height), self.Image.Resampling.LANCZOS, reducing_gap=2.0)
        return small.size

    def load(self, path):
        from PIL import ImageCms

        self.cms = ImageCms
        with self.Image.open(path) as image:
            self.image = image.convert("RGBA")
            profile = image.info.get("icc_profile")
        if profile:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            self.transform = ImageCms.buildTransform(source, ImageCms.createProfile("sRGB"), "RGBA", "RGBA")

    def premultiply(self):
        return self.image.convert("RGBa").size

    def standard_colors(self):
        return self.cms.applyTransform(self.image, self.transform).size

    def resize(self, width, height):
        return self.image.resize((width, height), self.Image.Resampling.LANCZOS, reducing_gap=2.0).size

    def rotate(self):
        return self.image.transpose(self.Image.Transpose.ROTATE_270).size

    def flip(self):
        return self.image.transpose(self.Image.Transpose.FLIP_LEFT_RIGHT).size

    def blur(self, sigma):
        from PIL import ImageFilter

        # Pillow uses three boxes.
        return self.image.filter(ImageFilter.GaussianBlur(sigma)).size

    def frames(self, path):
        with self.Image.open(path) as image:
            for index in range(image.n_frames):
                image.seek(index)
                image.convert("RGBA")
            return (image.n_frames, 0)


    def hold(self, path):
        with self.Image.open(path) as image:
            self.image = image.convert("RGB")
        return self.image.size

    def encode(self, kind, quality):
        options = {
            "JPEG": {"quality": quality, "optimize": True},
            "PNG": {},
            "WebP": {"quality": quality, "method": 4},
            "AVIF": {"quality": quality, "speed": 8, "max_threads": 1},
        }[kind]
        output = io.BytesIO()
        self.image.save(output, kind, **options)
        self.file = output.getvalue()
        return len(self.file), 0

    def save(self, path):
        return save(self.file, path)


class Pyvips:
    def __init__(self):
        import pyvips

        pyvips.cache_set_max(0)
        self.pyvips = pyvips

    def decode(self, path):
        image = self.pyvips.Image.new_from_file(path, access="sequential")
        if image.format != "uchar" or image.interpretation not in ("srgb", "b-w"):
            image = image.colourspace("srgb")
        if not image.hasalpha():
            image = image.bandjoin(255)
        image.write_to_memory()
        return image.width, image.height

    def thumbnail(self, path, width, height):
        image = self.pyvips.Image.thumbnail(path, width, height=height)
        image.write_to_memory()
        return image.width, image.height

    def load(self, path):
        image = self.pyvips.Image.new_from_file(path)
        self.image = (image if image.hasalpha() else image.bandjoin(255)).copy_memory()

    def premultiply(self):
        image = self.image.premultiply().cast("uchar")
        image.write_to_memory()
        return image.width, image.height

    def standard_colors(self):
        image = self.image.icc_transform("srgb", embedded=True, intent="perceptual")
        image.write_to_memory()
        return image.width, image.height

    def resize(self, width, height):
        image = self.image.resize(width / self.image.width, vscale=height / self.image.height, kernel="lanczos3", gap=0)
        image.write_to_memory()
        return image.width, image.height

    def rotate(self):
        image = self.image.rot90()
        image.write_to_memory()
        return image.width, image.height

    def flip(self):
        image = self.image.fliphor()
        image.write_to_memory()
        return image.width, image.height

    def blur(self, sigma):
        image = self.image.gaussblur(sigma)
        image.write_to_memory()
        return image.width, image.height

    def frames(self, path):
        image = self.pyvips.Image.new_from_file(path, n=-1)
        image.write_to_memory()
        return image.get("n-pages"), 0


    def hold(self, path):
        image = self.pyvips.Image.new_from_file(path)
        self.image = (image.flatten() if image.hasalpha() else image).copy_memory()
        return self.image.width, self.image.height

    def encode(self, kind, quality):
        image = self.image
        if kind == "JPEG":
            self.file = image.jpegsave_buffer(Q=quality, optimize_coding=True)
        elif kind == "PNG":
            self.file = image.pngsave_buffer()
        elif kind == "WebP":
            self.file = image.webpsave_buffer(Q=quality, effort=4)
        elif kind == "AVIF":
            # Effort 1 is speed 8 of the encoder.
            self.file = image.heifsave_buffer(Q=quality, compression="av1", effort=1)
        else:
            self.file = image.jxlsave_buffer(Q=quality, effort=4)
        return len(self.file), 0

    def save(self, path):
        return save(self.file, path)


class OpenCV:
    def __init__(self):
        os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"] = str(1 << 40)
        import cv2

        cv2.setNumThreads(1)
        self.cv2 = cv2

    def decode(self, path):
        cv2 = self.cv2
        image = cv2.imread(path, cv2.IMREAD_UNCHANGED)
        if image.ndim == 2:
            image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGRA)
        elif image.shape[2] == 3:
            image = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA)
        return image.shape[1], image.shape[0]

    def thumbnail(self, path, width, height):
        cv2 = self.cv2
        # Only JPEG is reduced while decoding.
        reduced = cv2.IMREAD_REDUCED_COLOR_8 if path.endswith(".jpg") else cv2.IMREAD_COLOR
        small = cv2.resize(cv2.imread(path, reduced), (width, height), interpolation=cv2.INTER_AREA)
        return small.shape[1], small.shape[0]

    def load(self, path):
        image = self.cv2.imread(path, self.cv2.IMREAD_UNCHANGED)
        self.image = image if image.shape[2] == 4 else self.cv2.cvtColor(image, self.cv2.COLOR_BGR2BGRA)

    def premultiply(self):
        image = self.cv2.cvtColor(self.image, self.cv2.COLOR_RGBA2mRGBA)
        return image.shape[1], image.shape[0]

    def resize(self, width, height):
        # OpenCV's Lanczos always samples eight pixels; its manual recommends this for shrinking.
        image = self.cv2.resize(self.image, (width, height), interpolation=self.cv2.INTER_AREA)
        return image.shape[1], image.shape[0]

    def rotate(self):
        image = self.cv2.rotate(self.image, self.cv2.ROTATE_90_CLOCKWISE)
        return image.shape[1], image.shape[0]

    def flip(self):
        image = self.cv2.flip(self.image, 1)
        return image.shape[1], image.shape[0]

    def blur(self, sigma):
        side = int(sigma * 6) | 1
        image = self.cv2.stackBlur(self.image, (side, side))
        return image.shape[1], image.shape[0]

    def frames(self, path):
        cv2 = self.cv2
        right, animation = cv2.imreadanimation(path)
        return (len(animation.frames), 0) if right else None


class Imagecodecs:
    def __init__(self):
        import imagecodecs

        decoders = {
            ".jpg": imagecodecs.jpeg8_decode, ".png": imagecodecs.png_decode, ".webp": imagecodecs.webp_decode,
            ".avif": imagecodecs.avif_decode, ".jxl": imagecodecs.jpegxl_decode, ".heic": imagecodecs.heif_decode,
        }
        self.codecs, self.decoders = imagecodecs, decoders

    def decode(self, path):
        with open(path, "rb") as file:
            data = file.read()
        extension = os.path.splitext(path)[1]
        options = {"numthreads": 1} if extension in (".avif", ".jxl") else {}
        image = self.decoders[extension](data, **options)
        return image.shape[1], image.shape[0]


    def hold(self, path):
        with open(path, "rb") as file:
            self.image = self.codecs.png_decode(file.read())[:, :, :3].copy()
        return self.image.shape[1], self.image.shape[0]

    def encode(self, kind, quality):
        codecs, image = self.codecs, self.image
        if kind == "JPEG":
            self.file = codecs.jpeg8_encode(image, level=quality, subsampling="420", optimize=True)
        elif kind == "PNG":
            self.file = codecs.png_encode(image)
        elif kind == "WebP":
            self.file = codecs.webp_encode(image, level=quality, lossless=False, method=4, numthreads=1)
        elif kind == "AVIF":
            self.file = codecs.avif_encode(image, level=quality, speed=8, pixelformat="420", numthreads=1)
        else:
            self.file = codecs.jpegxl_encode(image, level=quality, effort=4, numthreads=1)
        return len(self.file), 0

    def save(self, path):
        return save(self.file, path)


class GdkPixbuf:
    def __init__(self):
        library = ctypes.CDLL("libgdk_pixbuf-2.0.so.0")
        objects = ctypes.CDLL("libgobject-2.0.so.0")
        pointer, number = ctypes.c_void_p, ctypes.c_int
        self.open = library.gdk_pixbuf_new_from_file
        self.open.restype, self.open.argtypes = pointer, [ctypes.c_char_p, pointer]
        self.open_at = library.gdk_pixbuf_new_from_file_at_scale
        self.open_at.restype, self.open_at.argtypes = pointer, [ctypes.c_char_p, number, number, number, pointer]
        self.width = library.gdk_pixbuf_get_width
        self.width.argtypes = [pointer]
        self.height = library.gdk_pixbuf_get_height
        self.height.argtypes = [pointer]
        self.unref = objects.g_object_unref
        self.unref.argtypes = [pointer]

    def size(self, pixbuf):
        if not pixbuf:
            return None
        size = self.width(pixbuf), self.height(pixbuf)
        self.unref(pixbuf)
        return size

    def decode(self, path):
        return self.size(self.open(path.encode(), None))

    def thumbnail(self, path, width, height):
        return self.size(self.open_at(path.encode(), width, height, True, None))


def save(data, path):
    with open(path, "wb") as file:
        file.write(data)
    return len(data), 0


def measure(library, name, count, arguments):
    work = getattr(library, name, None)
    if work is None:
        return []
    result = None
    start = time.perf_counter_ns()
    for _ in range(count):
        result = work(*arguments)
    elapsed = time.perf_counter_ns() - start
    return [elapsed / count, *result] if result else []


def main():
    # Keeps the output of libraries out of the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    libraries = {
        "Pillow": Pillow, "pyvips": Pyvips, "OpenCV": OpenCV, "imagecodecs": Imagecodecs, "gdk-pixbuf": GdkPixbuf,
        "same library, from Python": SystemLibraries,
    }
    library = libraries[sys.argv[1]]()
    for line in iter(sys.stdin.readline, ""):
        name, count, *arguments = json.loads(line)
        try:
            if name == "forget":
                gc.collect()
                ctypes.CDLL(None).malloc_trim(0)
                answer = [0]
            elif name == "load":
                library.load(*arguments)
                answer = [0]
            else:
                answer = [0] if name == "ready" else measure(library, name, count, arguments)
        except Exception as error:
            print(f"{sys.argv[1]} {name}: {error}", file=sys.stderr)
            answer = []
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
