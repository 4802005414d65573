import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite("Coders: orientation")
struct OrientationTests {
    /// The sides at which the first stored row and column are displayed according to the standard (TIFF 6.0, tag 274).
    enum Side {
        case top, bottom, left, right
    }

    static let sides: [(value: Int, row: Side, column: Side)] = [
        (1, .top, .left), (2, .top, .right), (3, .bottom, .right), (4, .bottom, .left),
        (5, .left, .top), (6, .right, .top), (7, .right, .bottom), (8, .left, .bottom),
    ]

    @Test("each of the eight values results in the upright image (X163)", arguments: sides)
    func upright(value: Int, row: Side, column: Side) throws {
        // Larger than a tile in both directions.
        let original = try Images.noise(19, 37, seed: 4)
        let stored = try Self.rearrange(original, row: row, column: column)
        let file = Files.png(try Files.png(stored), withChunk: "eXIf", Files.exif(orientation: value))
        let header = try PNGCoder().header(of: file)
        #expect(header.orientation.rawValue == value)
        #expect(header.storedSize == stored.size)
        #expect(header.size == original.size)
        #expect(try PNGCoder().decode(file, DecodeOptions()).pixels.pixels == original.pixels)
    }

    @Test("a target size applies to the upright image", arguments: sides)
    func thumbnail(value: Int, row: Side, column: Side) throws {
        let original = try Images.gradient(64, 32)
        let stored = try Self.rearrange(original, row: row, column: column)
        let file = Files.jpeg(try Files.jpeg(stored, quality: 1), withEXIF: Files.exif(orientation: value))
        let options = DecodeOptions(targetSize: .pixels(width: 10, height: 10))
        let image = try JPEGCoder().decode(file, options)
        #expect(image.size == PixelSize(10, 5))
        #expect(image.metadata.isThumbnail)
        #expect(image.pixels.largestDifference(from: try original.resized(to: PixelSize(10, 5))) < 16)
    }

    @Test("undefined EXIF values are treated as upright", arguments: [0, 9, 255])
    func unknown(value: Int) throws {
        let file = Files.png(
            try Files.png(Images.gradient(3, 2)), withChunk: "eXIf", Files.exif(orientation: value))
        #expect(try PNGCoder().header(of: file).orientation == .up)
    }

    /// Returns the stored pixels that are displayed as `original`.
    private static func rearrange(_ original: PixelBuffer, row: Side, column: Side) throws -> PixelBuffer {
        let swapsSides = row == .left || row == .right
        let width = swapsSides ? original.height : original.width
        let height = swapsSides ? original.width : original.height
        return try PixelBuffer.drawn(width, height, isOpaque: true) { x, y in
            let position = [(row, y), (column, x)].reduce(into: (x: 0, y: 0)) { position, step in
                switch step.0 {
                case .top: position.y = step.1
                case .bottom: position.y = original.height - 1 - step.1
                case .left: position.x = step.1
                case .right: position.x = original.width - 1 - step.1
                }
            }
            return original[position.x, position.y]
        }
    }
}
