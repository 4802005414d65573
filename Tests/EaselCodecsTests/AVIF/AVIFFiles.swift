#if AVIF
import CAVIF
import EaselCore
import Foundation
import Testing

/// Images of one color, encoded by libavif.
enum AVIFFiles {
    struct Color: Sendable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
        var alpha: UInt8 = 255
    }

    static let side = 64

    /// Returns an animation with frames of one color each.
    static func animation(_ colors: [Color]) throws -> Data {
        let hasAlpha = colors.contains { $0.alpha < 255 }
        return try encode(colors.map { try image($0, width: side, hasAlpha: hasAlpha) })
    }

    /// Returns an item of one color.
    static func item(_ color: Color, width: Int = side) throws -> AVIFItems.Item {
        try item(encode([image(color, width: width, hasAlpha: false)]), width: width)
    }

    /// Returns an item of one brightness, for the alpha of another item.
    static func alphaItem(_ alpha: UInt8, width: Int = side) throws -> AVIFItems.Item {
        let image = try #require(avifImageCreate(UInt32(width), UInt32(side), 8, AVIF_PIXEL_FORMAT_YUV400))
        image.pointee.yuvRange = AVIF_RANGE_FULL
        _ = avifImageAllocatePlanes(image, avifPlanesFlags(AVIF_PLANES_YUV.rawValue))
        let row = Int(image.pointee.yuvRowBytes.0)
        let plane = try #require(image.pointee.yuvPlanes.0)
        for y in 0..<side { plane.advanced(by: y * row).update(repeating: alpha, count: width) }
        var item = try item(encode([image]), width: width)
        item.properties.append(AVIFItems.alpha)
        return item
    }

    /// Returns the only item of a file.
    private static func item(_ file: Data, width: Int) throws -> AVIFItems.Item {
        let configuration = try #require(file.offsets(of: "av1C").first) - 4
        let data = try #require(file.offsets(of: "mdat").first) + 4
        return AVIFItems.Item(
            kind: "av01", data: Array(file[data...]),
            properties: [AVIFItems.size(width, side), Array(file[configuration..<(configuration + 12)])])
    }

    /// - Parameter images: The images, which are freed.
    private static func encode(_ images: [UnsafeMutablePointer<avifImage>]) throws -> Data {
        defer { for image in images { avifImageDestroy(image) } }
        let encoder = try #require(avifEncoderCreate())
        defer { avifEncoderDestroy(encoder) }
        encoder.pointee.speed = 10
        encoder.pointee.minQuantizer = 0
        encoder.pointee.maxQuantizer = 10
        let flag = images.count == 1 ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE
        for image in images {
            try #require(avifEncoderAddImage(encoder, image, 1, avifAddImageFlags(flag.rawValue)) == AVIF_RESULT_OK)
        }
        var output = avifRWData()
        defer { avifRWDataFree(&output) }
        try #require(avifEncoderFinish(encoder, &output) == AVIF_RESULT_OK)
        return Data(bytes: try #require(output.data), count: output.size)
    }

    private static func image(_ color: Color, width: Int, hasAlpha: Bool) throws -> UnsafeMutablePointer<avifImage> {
        let image = try #require(avifImageCreate(UInt32(width), UInt32(side), 8, AVIF_PIXEL_FORMAT_YUV444))
        image.pointee.matrixCoefficients = avifMatrixCoefficients(AVIF_MATRIX_COEFFICIENTS_IDENTITY)
        image.pointee.yuvRange = AVIF_RANGE_FULL
        var rows = avifRGBImage()
        avifRGBImageSetDefaults(&rows, image)
        rows.format = hasAlpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB
        var pixels = (0..<width * side).flatMap { _ in
            [color.red, color.green, color.blue] + (hasAlpha ? [color.alpha] : [])
        }
        rows.rowBytes = UInt32(width * (hasAlpha ? 4 : 3))
        let result = pixels.withUnsafeMutableBufferPointer { buffer in
            rows.pixels = buffer.baseAddress
            return avifImageRGBToYUV(image, &rows)
        }
        try #require(result == AVIF_RESULT_OK)
        return image
    }
}

extension Data {
    /// Replaces the bytes from `offset` on.
    mutating func overwrite(at offset: Int, _ bytes: some Sequence<UInt8>) {
        for (index, byte) in bytes.enumerated() { self[offset + index] = byte }
    }

    /// Returns the positions of these four letters, in order.
    func offsets(of letters: String) -> [Int] {
        var offsets: [Int] = []
        while let found = self[(offsets.last.map { $0 + 1 } ?? startIndex)...].firstRange(of: Data(letters.utf8)) {
            offsets.append(found.lowerBound)
        }
        return offsets
    }
}
#endif
