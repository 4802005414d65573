#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is stored beside an entry's bytes to tell whether they are still the ones that were written.
///
/// Little-endian: a version byte, the length in eight bytes, CRC-32C in four.
struct DiskSeal: Equatable {
    private static let version: UInt8 = 1
    let length: UInt64
    let checksum: UInt32

    init(of data: Data) {
        length = UInt64(data.count)
        checksum = data.withUnsafeBytes(CRC32C.checksum)
    }

    /// `nil` where there is none, or it is of a version that we do not know.
    init?(_ bytes: [UInt8]?) {
        guard let bytes, bytes.count == 13, bytes[0] == Self.version else { return nil }
        (length, checksum) = bytes.withUnsafeBytes { bytes in
            (
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 1, as: UInt64.self)),
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 9, as: UInt32.self))
            )
        }
    }

    var bytes: [UInt8] {
        [Self.version] + withUnsafeBytes(of: length.littleEndian, Array.init)
            + withUnsafeBytes(of: checksum.littleEndian, Array.init)
    }

    func fits(_ data: Data) -> Bool {
        self == DiskSeal(of: data)
    }
}
