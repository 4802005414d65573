import Foundation

/// A regular progressive JPEG whose scans have no coefficients. Each costs a pass over the image for a few bytes.
struct ManyScansJPEG {
    /// The width and height. A multiple of 1024, so that runs of 2^14 empty blocks cover a component.
    var side = 1024
    /// The number of scans, at most 1137.
    var scanCount: Int
    /// The sampling factors of every component. Easel's reader leaves those with a 3 to the library.
    var sampling: UInt8 = 0x11

    func data() -> Data {
        var file = JPEGMarkers()
        let size = [UInt8(side >> 8), UInt8(side & 255)]
        let blocks = side * side / 64
        file.append(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file.append(0xC2, [8] + size + size + [3] + (1...3).flatMap { [$0, sampling, 0] })
        // Both tables have a code of one bit, 0: no difference of the mean, and a run of at least 2^14 empty blocks.
        file.append(0xC4, [0x00] + HuffmanTable.bytes([(0, 1)]))
        file.append(0xC4, [0x10] + HuffmanTable.bytes([(0xE0, 1)]))
        for scan in Self.scans.prefix(scanCount) {
            file.append(0xDA, [1, scan.component, 0, scan.position, scan.position, scan.bits])
            let bitCount = scan.position == 0 ? blocks : blocks >> 14 * 15
            file.append([UInt8](repeating: 0, count: (bitCount + 7) / 8))
        }
        return file.finished()
    }

    /// The means, and each bit of each coefficient.
    private static let scans: [(component: UInt8, position: UInt8, bits: UInt8)] =
        (1...3).map { ($0, 0, 0) }
        + (1...3).flatMap { component in
            (1...63).flatMap { position in
                ([5, 0x54, 0x43, 0x32, 0x21, 0x10] as [UInt8]).map { (component, position, $0) }
            }
        }
}
