import Easel
import Foundation

/// Work on single pixels.
extension ImageGroups {
    static func pixelWorks() throws -> [Work] {
        try [premultiplication(), colors()].compactMap { $0 }
    }

    /// Converts straight RGBA, as most decoders return it, to premultiplied pixels.
    private static func premultiplication() throws -> Work? {
        guard let file = try ImageFiles.photograph(.pngAlpha, ImageFiles.medium) else { return nil }
        // Interprets the numbers of the premultiplied image as straight.
        let pixels = try PNGCoder().decode(file.data, DecodeOptions()).pixels
        let libraries = try PythonLibrary.all(holding: file.path)
        return try work(
            transform, "premultiply, \(file.name)", pixels: file.size, libraries, "premultiply", [],
            expected: [file.size]
        ) {
            try pixels.withUnsafeBytes { bytes in
                try PixelBuffer(straightRGBA: bytes, bytesPerRow: pixels.bytesPerRow, size: pixels.size).size
            } == file.size
        }
    }

    /// Converts colours. The peers use lcms2.
    private static func colors() throws -> Work? {
        guard let file = try ImageFiles.wide() else { return nil }
        let image = try JPEGCoder().decode(file.data, DecodeOptions(colorSpace: .displayP3))
        let libraries = try PythonLibrary.all(holding: file.path)
        return try work(
            transform, "Display P3 to sRGB, \(file.name)", pixels: file.size, libraries, "standard_colors", [],
            expected: [file.size]
        ) {
            try image.convertedToSRGB().size == file.size
        }
    }
}
