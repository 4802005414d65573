import Easel
import Foundation

/// The image files to decode, created once by Easel's encoders and stored with the build.
enum ImageFiles {
    struct File {
        var name: String
        var path: String
        var data: Data
        var size: PixelSize
    }

    static let large = Scale.pick(PixelSize(4000, 3000), quick: PixelSize(2000, 1500))
    static let medium = Scale.pick(PixelSize(2000, 1500), quick: PixelSize(1000, 750))
    static let small = Scale.pick(PixelSize(1000, 750), quick: PixelSize(500, 375))
    static let icon = PixelSize(64, 64)

    /// Increase the number when the images change.
    private static let folder = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/images-1"

    enum Kind: String, CaseIterable {
        case jpeg = "JPEG 4:2:0"
        case jpegFull = "JPEG 4:4:4"
        case progressive = "JPEG progressive"
        case png = "PNG RGB"
        case pngAlpha = "PNG RGBA"
        case pngPalette = "PNG palette"
        case webp = "WebP lossy"
        case webpAlpha = "WebP lossy + alpha"
        case webpLossless = "WebP lossless"
        case avif = "AVIF"
        case heic = "HEIC"
        case jxl = "JPEG XL"
        case tiff = "TIFF"

        fileprivate var hasAlpha: Bool { self == .pngAlpha || self == .webpAlpha }

        fileprivate var fileExtension: String {
            switch self {
            case .jpeg, .jpegFull, .progressive: "jpg"
            case .png, .pngAlpha, .pngPalette: "png"
            case .webp, .webpAlpha, .webpLossless: "webp"
            case .avif: "avif"
            case .heic: "heic"
            case .jxl: "jxl"
            case .tiff: "tif"
            }
        }
    }

    /// Returns a photograph in a format, or `nil`, with a message on stderr, if no installed tool can write it.
    static func photograph(_ kind: Kind, _ size: PixelSize) throws -> File? {
        let name = "\(kind) \(size)".replacing(" ", with: "-")
        return try file("\(kind.rawValue) \(title(size))", "\(name).\(kind.fileExtension)", size) { path in
            if kind == .heic { return try heic(size, path) }
            if kind == .pngPalette { return try convert(kind, "quantize(256).save(sys.argv[2])", size, path) }
            if kind == .tiff { return try convert(kind, "save(sys.argv[2], compression='tiff_lzw')", size, path) }
            return try encode(source(size, hasAlpha: kind.hasAlpha), as: kind)
        }
    }

    private static func title(_ size: PixelSize) -> String {
        let megapixels = Double(size.width * size.height) / 1e6
        return megapixels < 0.1 ? "\(size)" : "\(megapixels.formatted()) MP"
    }

    /// Returns a JPEG of about 100 KB, typical for web pages.
    static func web() throws -> File? {
        let size = PixelSize(800, 600)
        return try file("JPEG 100 KB", "web.jpg", size) { _ in
            try JPEGCoder().encode(try Photograph.make(size), EncodeOptions(quality: 0.8))
        }
    }

    /// Returns a photograph at the size of an image server's result.
    static func result() throws -> File? {
        let size = PixelSize(512, 384)
        guard let source = try photograph(.png, medium) else { return nil }
        return try file("PNG \(size)", "result-\(medium.width).png", size) { _ in
            let image = try PNGCoder().decode(source.data, DecodeOptions())
            let transform = ImageTransform.resize(.pixels(width: size.width, height: size.height, mode: .fill))
            return try PNGCoder().encode(image.applying([transform]), EncodeOptions())
        }
    }

    /// Returns a photograph in Display P3, with its profile.
    static func wide() throws -> File? {
        let name = "JPEG \(title(medium))"
        return try file(name, "wide-\(medium.width).jpg", medium) { _ in
            var image = try Photograph.make(medium)
            image.metadata.colorSpace = .displayP3
            return try JPEGCoder().encode(image, EncodeOptions(quality: 0.9))
        }
    }

    /// Returns a 4:3 photograph with the given number of megapixels.
    static func jpeg(megapixels: Double) throws -> File? {
        let height = Int((megapixels * 1e6 * 3 / 4).squareRoot())
        let size = PixelSize(height * 4 / 3, height)
        return try file("JPEG \(megapixels.formatted()) MP", "growth-\(size.width).jpg", size) { _ in
            // Tiles large images, which take long to create.
            let width = min(size.width, large.width), tile = PixelSize(width, width * 3 / 4)
            let source = try Photograph.make(tile).pixels
            let pixels = try PixelBuffer(size: size, isOpaque: true) { bytes, bytesPerRow in
                source.withUnsafeBytes { tiles in
                    for y in 0..<size.height {
                        for x in stride(from: 0, to: size.width, by: tile.width) {
                            let start = y % tile.height * source.bytesPerRow
                            let count = min(tile.width, size.width - x) * 4
                            bytes[(y * bytesPerRow + x * 4)...].copyBytes(from: tiles[start..<start + count])
                        }
                    }
                }
            }
            return try JPEGCoder().encode(
                DecodedImage(pixels: pixels, metadata: ImageMetadata()), EncodeOptions(quality: 0.85))
        }
    }

    private static func encode(_ image: DecodedImage, as kind: Kind) throws -> Data {
        switch kind {
        case .jpeg: try JPEGCoder().encode(image, EncodeOptions(quality: 0.85))
        case .jpegFull: try JPEGCoder().encode(image, EncodeOptions(quality: 0.92))
        case .progressive: try JPEGCoder().encode(image, EncodeOptions(quality: 0.85, isProgressive: true))
        case .png, .pngAlpha: try PNGCoder().encode(image, EncodeOptions())
        case .webp, .webpAlpha: try WebPCoder().encode(image, EncodeOptions(quality: 0.8))
        case .webpLossless: try WebPCoder().encode(image, EncodeOptions(isLossless: true))
        case .avif: try AVIFCoder().encode(image, EncodeOptions(quality: 0.7))
        case .jxl: try JXLCoder().encode(image, EncodeOptions(quality: 0.85))
        case .heic, .pngPalette, .tiff: throw MissingPeer(name: kind.rawValue, reason: "Easel does not write it.")
        }
    }

    /// Encodes HEIC with libheif's tool, since Easel only reads it.
    private static func heic(_ size: PixelSize, _ path: String) throws -> Data {
        guard let tool = Tool.find("heif-enc"), let png = try photograph(.png, size) else {
            throw MissingPeer(name: "HEIC file", reason: "heif-enc, of Debian's libheif-examples, is not installed.")
        }
        try Tool.run(tool, "-q", "60", "-o", path, png.path)
        return try Data(contentsOf: URL(filePath: path))
    }

    /// Encodes a format with Pillow that Easel does not write.
    private static func convert(_ kind: Kind, _ call: String, _ size: PixelSize, _ path: String) throws -> Data {
        let script = "import sys; from PIL import Image; Image.open(sys.argv[1]).\(call)"
        guard let png = try photograph(.png, size) else {
            throw MissingPeer(name: kind.rawValue, reason: "there is no PNG to convert.")
        }
        let python = try PythonProcess.python(with: [.pillow], for: kind.rawValue)
        try Tool.run(python, "-c", script, png.path, path)
        return try Data(contentsOf: URL(filePath: path))
    }

    /// Returns an animation of thirty frames.
    static func animation(_ scene: AnimationScene, as format: AnimationFormat) throws -> File? {
        let name = "\(format.rawValue) \(scene)"
        return try file(name, name.replacing(" ", with: "-") + "." + format.fileExtension, scene.size) { _ in
            let frames = try scene.frames()
            return try format.encoder.encode(frames, EncodeOptions(quality: 0.8))
        }
    }

    /// Returns a folder of files that `make` wrote, in this run or an earlier one.
    static func folder(_ name: String, make: (String) throws -> Void) throws -> String {
        let path = folder + "/" + name
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        // Has its name when it is complete.
        let unfinished = path + "-unfinished"
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        try make(unfinished)
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return path
    }

    private static func file(
        _ name: String, _ fileName: String, _ size: PixelSize, make: (String) throws -> Data
    ) throws -> File? {
        let path = folder + "/" + fileName
        if let data = FileManager.default.contents(atPath: path) {
            return File(name: name, path: path, data: data, size: size)
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        Progress.shared.printLine("making \(fileName)")
        do {
            let data = try make(path)
            try data.write(to: URL(filePath: path), options: .atomic)
            return File(name: name, path: path, data: data, size: size)
        } catch let missing as MissingPeer {
            Absence.report(missing)
            return nil
        }
    }

    /// Returns the alpha of a soft-edged disc.
    private static func disc(_ u: Double, _ v: Double) -> Double {
        let (x, y) = (u - 0.5, v - 0.5)
        let distance = x * x + y * y
        return min(1, max(0, 2 - distance * 6))
    }

    /// The latest image, since the next file usually uses the same.
    nonisolated(unsafe) private static var cached: (size: PixelSize, hasAlpha: Bool, image: DecodedImage)?

    private static func source(_ size: PixelSize, hasAlpha: Bool) throws -> DecodedImage {
        if let cached, cached.size == size, cached.hasAlpha == hasAlpha { return cached.image }
        let image = hasAlpha ? try Photograph.make(size, alpha: disc) : try Photograph.make(size)
        cached = (size, hasAlpha, image)
        return image
    }
}
