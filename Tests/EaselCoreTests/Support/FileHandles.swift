import EaselFoundation

/// A file that stays open for reading.
final class FileHandleReader {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
    }

    deinit { close(descriptor) }

    /// Reads from the current position to the end.
    func readToEnd() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}

/// A file that is changed in place.
final class FileHandleWriter {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR)
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
    }

    deinit { close(descriptor) }

    func flipBit(_ bit: Int) throws {
        var byte: UInt8 = 0
        guard pread(descriptor, &byte, 1, bit / 8) == 1 else { throw CocoaError(.fileReadUnknown) }
        byte ^= 1 << (bit % 8)
        guard pwrite(descriptor, &byte, 1, bit / 8) == 1 else { throw CocoaError(.fileWriteUnknown) }
    }

    func setLength(_ length: Int) throws {
        guard ftruncate(descriptor, length) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Replaces the whole content.
    func replace(_ bytes: [UInt8]) throws {
        try setLength(bytes.count)
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }
}
