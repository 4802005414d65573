"""The system's libavif, libheif and libjxl, which Easel uses too, by their C interfaces: files to 8-bit RGBA, on one thread."""

import ctypes
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint32, c_void_p


class SystemLibraries:
    def __init__(self):
        self.decoders = {}
        for extension, decoder in ((".avif", AVIF), (".heic", HEIC), (".jxl", JXL)):
            try:
                self.decoders[extension] = decoder()
            except OSError:
                # The answer is empty.
                pass

    def decode(self, path):
        decoder = self.decoders.get(os.path.splitext(path)[1])
        return decoder.decode(path) if decoder else None


class AVIF:
    def __init__(self):
        library = ctypes.CDLL("libavif.so.15")
        for name in ("avifDecoderCreate", "avifImageCreateEmpty"):
            getattr(library, name).restype = c_void_p
        library.avifDecoderReadFile.argtypes = [c_void_p, c_void_p, c_char_p]
        library.avifRGBImageSetDefaults.argtypes = [c_void_p, c_void_p]
        library.avifRGBImageAllocatePixels.argtypes = [c_void_p]
        library.avifRGBImageFreePixels.argtypes = [c_void_p]
        library.avifImageYUVToRGB.argtypes = [c_void_p, c_void_p]
        library.avifDecoderDestroy.argtypes = [c_void_p]
        library.avifImageDestroy.argtypes = [c_void_p]
        self.library = library

    def decode(self, path):
        library = self.library
        decoder, image = library.avifDecoderCreate(), library.avifImageCreateEmpty()
        # An avifRGBImage begins with its width and height; the library fills it.
        rgb = ctypes.create_string_buffer(256)
        try:
            if library.avifDecoderReadFile(decoder, image, path.encode()):
                return None
            library.avifRGBImageSetDefaults(rgb, image)
            library.avifRGBImageAllocatePixels(rgb)
            failed = library.avifImageYUVToRGB(image, rgb)
            library.avifRGBImageFreePixels(rgb)
            size = ctypes.cast(rgb, POINTER(c_uint32))
            return None if failed else (size[0], size[1])
        finally:
            library.avifDecoderDestroy(decoder)
            library.avifImageDestroy(image)


class HEIFError(Structure):
    _fields_ = [("code", c_int), ("subcode", c_int), ("message", c_char_p)]


class HEIC:
    RGB, INTERLEAVED_RGBA = 1, 11

    def __init__(self):
        library = ctypes.CDLL("libheif.so.1")
        library.heif_context_alloc.restype = c_void_p
        for name in ("heif_context_read_from_file", "heif_context_get_primary_image_handle", "heif_decode_image"):
            getattr(library, name).restype = HEIFError
        library.heif_context_read_from_file.argtypes = [c_void_p, c_char_p, c_void_p]
        library.heif_context_get_primary_image_handle.argtypes = [c_void_p, POINTER(c_void_p)]
        library.heif_decode_image.argtypes = [c_void_p, POINTER(c_void_p), c_int, c_int, c_void_p]
        for name in ("heif_image_handle_get_width", "heif_image_handle_get_height", "heif_image_release"):
            getattr(library, name).argtypes = [c_void_p]
        library.heif_image_handle_release.argtypes = [c_void_p]
        library.heif_context_free.argtypes = [c_void_p]
        library.heif_context_set_max_decoding_threads.argtypes = [c_void_p, c_int]
        self.library = library

    def decode(self, path):
        library, handle, image = self.library, c_void_p(), c_void_p()
        context = library.heif_context_alloc()
        library.heif_context_set_max_decoding_threads(context, 1)
        try:
            if library.heif_context_read_from_file(context, path.encode(), None).code:
                return None
            library.heif_context_get_primary_image_handle(context, byref(handle))
            if library.heif_decode_image(handle, byref(image), self.RGB, self.INTERLEAVED_RGBA, None).code:
                return None
            size = library.heif_image_handle_get_width(handle), library.heif_image_handle_get_height(handle)
            library.heif_image_release(image)
            return size
        finally:
            if handle:
                library.heif_image_handle_release(handle)
            library.heif_context_free(context)


class JXLFormat(Structure):
    _fields_ = [("channels", c_uint32), ("type", c_int), ("endianness", c_int), ("align", c_size_t)]


class JXL:
    BASIC_INFO, FULL_IMAGE = 0x40, 0x1000
    SUCCESS, NEED_OUTPUT = 0, 5
    BYTES = 2

    def __init__(self):
        library = ctypes.CDLL("libjxl.so.0.7")
        library.JxlDecoderCreate.restype = c_void_p
        library.JxlDecoderSubscribeEvents.argtypes = [c_void_p, c_int]
        library.JxlDecoderSetInput.argtypes = [c_void_p, c_char_p, c_size_t]
        library.JxlDecoderProcessInput.argtypes = [c_void_p]
        library.JxlDecoderGetBasicInfo.argtypes = [c_void_p, c_void_p]
        library.JxlDecoderSetImageOutBuffer.argtypes = [c_void_p, POINTER(JXLFormat), c_void_p, c_size_t]
        library.JxlDecoderCloseInput.argtypes = [c_void_p]
        library.JxlDecoderDestroy.argtypes = [c_void_p]
        self.library = library

    def decode(self, path):
        library = self.library
        with open(path, "rb") as file:
            data = file.read()
        decoder = library.JxlDecoderCreate(None)
        size, pixels = None, None
        try:
            library.JxlDecoderSubscribeEvents(decoder, self.BASIC_INFO | self.FULL_IMAGE)
            library.JxlDecoderSetInput(decoder, data, len(data))
            library.JxlDecoderCloseInput(decoder)
            while True:
                status = library.JxlDecoderProcessInput(decoder)
                if status == self.BASIC_INFO:
                    # A JxlBasicInfo begins with the container flag, the width and the height.
                    info = ctypes.create_string_buffer(1024)
                    library.JxlDecoderGetBasicInfo(decoder, info)
                    numbers = ctypes.cast(info, POINTER(c_uint32))
                    size = numbers[1], numbers[2]
                elif status == self.NEED_OUTPUT:
                    pixels = (ctypes.c_ubyte * (size[0] * size[1] * 4))()
                    layout = JXLFormat(4, self.BYTES, 0, 0)
                    library.JxlDecoderSetImageOutBuffer(decoder, byref(layout), pixels, len(pixels))
                elif status == self.FULL_IMAGE:
                    return size
                else:
                    return None
        finally:
            library.JxlDecoderDestroy(decoder)
