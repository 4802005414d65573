import CEaselJPEG
import CLittleCMS
import CWebP
import CZlib

#if AVIF
import CAVIF
#endif
#if HEIF
import CHEIF
#endif
#if JXL
import CJXL
#endif
#if TIFF
import CEaselTIFF
#endif
#if SVG
import CEaselSVG
#endif

/// The versions of the C libraries in this process.
package enum LibraryVersions {
    /// The versions, sorted by name.
    package static var all: [(name: String, version: String)] {
        var versions = [
            ("libjpeg-turbo", String(cString: easel_jpeg_version())),
            ("libwebp", packed(UInt32(bitPattern: WebPGetDecoderVersion()), by: 256)),
            ("lcms2", packed(UInt32(bitPattern: cmsGetEncodedCMMversion() / 10), by: 100)),
            ("zlib", String(cString: zlibVersion())),
        ]
        #if AVIF
        versions.append(("libavif", String(cString: avifVersion())))
        #endif
        #if HEIF
        versions.append(("libheif", String(cString: heif_get_version())))
        #endif
        #if JXL
        versions.append(("libjxl", packed(JxlDecoderVersion(), by: 1000)))
        #endif
        #if TIFF
        versions.append(("libtiff", String(cString: easel_tiff_version())))
        #endif
        #if SVG
        versions.append(("librsvg", packed(easel_svg_version(), by: 1000)))
        #endif
        return versions.map { (name: $0.0, version: $0.1) }.sorted { $0.name < $1.name }
    }

    /// Returns the text of a version whose parts are digits of a number.
    private static func packed(_ number: UInt32, by base: UInt32) -> String {
        var parts = [number % base, number / base % base, number / base / base]
        if parts[2] == 0, base == 100 { parts = [parts[0], parts[1]] }
        return parts.reversed().map(String.init).joined(separator: ".")
    }
}
