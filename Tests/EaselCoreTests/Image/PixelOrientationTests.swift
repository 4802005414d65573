import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Pixel orientation")
struct PixelOrientationTests {
    /// Returns the stored position of an upright pixel (EXIF 2.32, tag 0x0112).
    private static func position(
        _ orientation: ImageOrientation, _ x: Int, _ y: Int, in stored: PixelSize
    ) -> (x: Int, y: Int) {
        let (right, bottom) = (stored.width - 1, stored.height - 1)
        return switch orientation {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (y, bottom - x)
        case .rightMirrored: (right - y, bottom - x)
        case .left: (right - y, x)
        }
    }

    @Test("every upright pixel comes from its stored position", arguments: ImageOrientation.allCases)
    func everyPixel(orientation: ImageOrientation) throws {
        // Below, at and above the kernels' blocks of eight and sixteen, and the bands of 64 rows.
        for (width, height) in [
            (1, 1), (3, 7), (8, 8), (9, 17), (16, 16), (31, 41), (130, 5), (5, 130), (64, 72), (67, 129),
        ] {
            let size = PixelSize(width, height)
            let source = try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
                for y in 0..<height {
                    for x in 0..<width {
                        bytes.storeBytes(
                            of: UInt32(y << 16 | x), toByteOffset: y * bytesPerRow + x * 4, as: UInt32.self)
                    }
                }
            }
            let result = try source.upright(from: orientation, isCancelled: { false })
            #expect(result.size == orientation.upright(size))
            var wrong = 0
            for y in 0..<result.height {
                for x in 0..<result.width {
                    let position = Self.position(orientation, x, y, in: size)
                    if result[x, y] != source[position.x, position.y] { wrong += 1 }
                }
            }
            #expect(wrong == 0, "\(size)")
        }
    }

    @Test(
        "a transposed image is the same with streaming stores, by any kernel and at any offset",
        arguments: [PixelKernels.best, .baseline], [0, 4])
    func rotate180(kernels: PixelKernels, offset: Int) throws {
        let source = try PixelBuffer(size: PixelSize(37, 91), isOpaque: false) { bytes, _ in
            var random = SeededGenerator(seed: 3)
            bytes.copyBytes(from: random.bytes(bytes.count))
        }
        let expected = source.withUnsafeBytes { bytes in
            (0..<37).flatMap { row in
                (0..<91).map { column in
                    let offset = (90 - column) * source.bytesPerRow + (36 - row) * 4
                    return bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                }
            }
        }
        #expect(Self.transpose(source, kernels, offset: offset, passesCache: false) == expected)
        #expect(Self.transpose(source, kernels, offset: offset, passesCache: true) == expected)
    }

    @Test(
        "a mirrored row is the same with streaming stores, at any length and offset",
        arguments: [PixelKernels.best, .baseline], [0, 4])
    func mirrored(kernels: PixelKernels, offset: Int) throws {
        var random = SeededGenerator(seed: 8)
        for count in [1, 7, 8, 15, 16, 17, 32, 100, 1_000] {
            let row = random.bytes(count * 4)
            let expected = (0..<count).reversed().flatMap { row[($0 * 4)..<($0 * 4 + 4)] }
            for passesCache in [false, true] {
                let target = UnsafeMutableRawBufferPointer.allocate(byteCount: count * 4 + offset, alignment: 64)
                defer { target.deallocate() }
                let slice = UnsafeMutableRawBufferPointer(rebasing: target[offset...])
                row.withUnsafeBytes { kernels.mirror($0, into: slice, count: count, passesCache: passesCache) }
                #expect(Array(slice) == expected)
            }
        }
    }

    @Test("a cancelled rotation throws")
    func cancellation() throws {
        let source = try PixelBuffer(size: PixelSize(4, 4), isOpaque: false) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
        #expect(throws: ImageError.cancelled) { try source.upright(from: .left, isCancelled: { true }) }
    }

    /// Returns the columns of `source` as rows, both in reverse. Rows begin `offset` bytes after a cache line.
    private static func transpose(
        _ source: PixelBuffer, _ kernels: PixelKernels, offset: Int, passesCache: Bool
    ) -> [UInt32] {
        let size = source.size.transposed
        let bytesPerRow = (size.width * 4 + 63) & ~63
        let byteCount = bytesPerRow * size.height + offset
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        defer { target.deallocate() }
        let slice = UnsafeMutableRawBufferPointer(rebasing: target[offset...])
        source.withUnsafeBytes { bytes in
            guard let from = PixelRows(bytes, bytesPerRow: source.bytesPerRow, size: source.size),
                let to = PixelRows(UnsafeRawBufferPointer(slice), bytesPerRow: bytesPerRow, size: size)
            else { return }
            kernels.transpose(
                from, columns: 0..<size.height, into: to, fromRight: true, fromBottom: true, passesCache: passesCache)
        }
        return (0..<size.height).flatMap { row in
            (0..<size.width).map { slice.loadUnaligned(fromByteOffset: row * bytesPerRow + $0 * 4, as: UInt32.self) }
        }
    }
}
