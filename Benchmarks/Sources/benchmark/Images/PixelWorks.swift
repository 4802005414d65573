import Easel
import Foundation

/// What is done to each pixel by itself.
extension ImageGroups {
    static func pixelWorks() throws -> [Work] {
        try [premultiplication(), colors()].compactMap { $0 }
    }

    /// Straight R, G, B, A, as most decoders give them, to what is drawn.
    private static func premultiplication() throws -> Work? {
        guard let file = try ImageFiles.photograph(.pngAlpha, ImageFiles.medium) else { return nil }
        // The numbers of the premultiplied image, taken for straight ones.
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

    /// Where lcms2 does it for the others.
    private static func colors() throws -> Work? {
        guard let file = try ImageFiles.wide() else { return nil }
        let image = try JPEGCoder().decode(file.data, DecodeOptions(colorSpace: .displayP3))
        let libraries = try PythonLibrary.all(holding: file.path)
        return try work(
            transform, "Display P3 to sRGB, \(file.name)", pixels: file.size, libraries, "standard_colors", [],
            expected: [file.size]
        ) {
            try image.inStandardColors().size == file.size
        }
    }
}
