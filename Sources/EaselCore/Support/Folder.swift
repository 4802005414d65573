import CEaselSystem
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder held open, and the calls on the files directly in it. Every call blocks.
///
/// Names are resolved against the descriptor, so that a path that changes underneath cannot lead elsewhere, and links
/// are never followed.
final class Folder: Sendable {
    let path: String
    private let descriptor: Int32

    /// What the system tells of a file.
    struct Facts {
        var byteCount: Int
        /// Seconds since 1970.
        var accessed: Double
        var modified: Double
        var isFile: Bool
    }

    /// Opens the folder at `path`. With `creating`, it and its parents are made where they are missing.
    init(path: String, creating: Bool) throws(SystemError) {
        if creating { try Self.makeFolder(path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether the path still leads here: a folder that was removed or moved away still takes files.
    var isInPlace: Bool {
        var here = stat()
        var there = stat()
        return fstat(descriptor, &here) == 0 && stat(path, &there) == 0
            && here.st_ino == there.st_ino && here.st_dev == there.st_dev
    }

    /// The bytes of a file and the attribute stored with them, or `nil` where there is no such file.
    func read(_ name: String, attribute: String) throws(SystemError) -> (data: Data, attribute: [UInt8]?)? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            let error = SystemError.last
            if error.isMissing || error.isLink { return nil }
            throw error
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let data = try Self.readAll(file, expected: Int(status.st_size))
        return (data, Self.attribute(attribute, of: file))
    }

    /// Writes a whole file under a temporary name and then gives it its own, so that no reader ever sees a part of it.
    func write(
        _ data: Data, to name: String, temporaryName: String, attribute: (name: String, bytes: [UInt8])
    ) throws(SystemError) {
        let file = openat(descriptor, temporaryName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last }
        do throws(SystemError) {
            defer { close(file) }
            try Self.writeAll(data, to: file)
            // A file system without attributes still keeps the bytes; they are then served unchecked.
            let result = attribute.bytes.withUnsafeBytes {
                easel_attribute_set(file, attribute.name, $0.baseAddress, $0.count)
            }
            if result != 0, !SystemError.last.isUnsupported { throw .last }
        } catch {
            unlinkat(descriptor, temporaryName, 0)
            throw error
        }
        guard easel_rename_at(descriptor, temporaryName, name) == 0 else {
            let error = SystemError.last
            unlinkat(descriptor, temporaryName, 0)
            throw error
        }
    }

    /// What the system tells of a file, or `nil` where there is none.
    func facts(of name: String) -> Facts? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Facts(
            byteCount: Int(status.st_size), accessed: Self.seconds(status.accessTime),
            modified: Self.seconds(status.modificationTime), isFile: status.st_mode & S_IFMT == S_IFREG)
    }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    func remove(_ name: String) throws(SystemError) -> Bool {
        if unlinkat(descriptor, name, 0) == 0 { return true }
        let error = SystemError.last
        if error.isMissing { return false }
        throw error
    }

    /// Sets the time of last access, in seconds since 1970, and leaves the rest.
    func touch(_ name: String, accessed seconds: Double) {
        let whole = seconds.rounded(.down)
        easel_touch_at(descriptor, name, Int(whole), Int((seconds - whole) * 1e9))
    }

    /// The names of everything in the folder, in no order.
    func names() throws(SystemError) -> [String] {
        // A stream owns and moves its descriptor, so it gets one of its own.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .last }
        guard let stream = fdopendir(own) else {
            defer { close(own) }
            throw .last
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let error = SystemError.last
        guard error.isMissing, let slash = path.dropLast().lastIndex(of: "/"), slash != path.startIndex else {
            throw error
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }

    /// Reads to the end. A file may grow or shrink meanwhile, and a pipe has no size: `expected` is only a guess.
    fileprivate static func readAll(
        _ file: Int32, expected: Int, limit: Int = .max
    ) throws(SystemError) -> Data {
        let limit = max(0, limit)
        var data = Data(count: min(expected, limit) + 1)
        var filled = 0
        while true {
            let room = data.count - filled
            let count = data.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { systemRead(file, $0 + filled, room) } ?? 0
            }
            if count > 0 {
                filled += count
                if filled > limit { break }
                if filled == data.count { data.append(Data(count: min(data.count, 1 << 20))) }
            } else if count == 0 {
                break
            } else if !SystemError.last.isInterrupted {
                throw .last
            }
        }
        data.removeSubrange(filled...)
        return data
    }

    private static func writeAll(_ data: Data, to file: Int32) throws(SystemError) {
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { systemWrite(file, $0 + written, bytes.count - written) } ?? 0
            }
            if count >= 0 {
                written += count
            } else if !SystemError.last.isInterrupted {
                throw .last
            }
        }
    }

    private static func attribute(_ name: String, of file: Int32) -> [UInt8]? {
        let capacity = 4096
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = max(0, easel_attribute_get(file, name, buffer.baseAddress, capacity))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private static func seconds(_ time: timespec) -> Double {
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The bytes of a file, whole; one byte more than `limit` where it is longer. Blocks.
func readFile(_ path: String, limit: Int) throws(SystemError) -> Data {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw SystemError(number: EISDIR) }
    return try Folder.readAll(file, expected: Int(status.st_size), limit: limit)
}
