#if Server
import EaselCore
import EaselFoundation

/// A loader of `local:` URLs: files in one folder, without a way out of it.
///
/// Each part of a path is opened in the folder before it, and links are not followed, so that neither a path nor a
/// change of the folder meanwhile leads elsewhere.
struct LocalLoader: ImageLoading {
    private let folder: ConfinedFolder

    /// - Throws: `ImageError.unreadable` if the folder cannot be opened.
    init(root: String) throws(ImageError) { folder = try ConfinedFolder(root) }

    func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme == "local" }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let text = request.url.absoluteString
        let prefix = "local:///"
        guard text.hasPrefix(prefix), let path: [UInt8] = PercentEncoding.decode(text.dropFirst(prefix.count).utf8)
        else {
            throw .invalidURL("A local: URL is local:/// and a path.")
        }
        let limit = request.limits.bytes
        let (folder, started) = (folder, ContinuousClock.now)
        let data = try await WorkerPool.reads.run { () throws(ImageError) in try folder.read(path, limit: limit) }
        context.report(received: data.count, expected: data.count)
        var loaded = LoadedData(data: data, source: .file)
        loaded.timeline[.transfer] = .now - started
        return loaded
    }
}

/// An open folder whose files are read by their paths. All calls block.
final class ConfinedFolder: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws(ImageError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImageError(.unreadable, "The folder \(path) cannot be opened.") }
    }

    deinit { close(descriptor) }

    /// Returns the bytes of a regular file.
    ///
    /// - Throws: `ImageError.status` 404 for anything else, and for a path with `.`, `..`, an empty part or a NUL;
    ///   `.tooLarge`.
    func read(_ path: [UInt8], limit: Int) throws(ImageError) -> Data {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !parts.isEmpty, parts.allSatisfy(Self.isPlain) else { throw .status(404) }
        var current = descriptor
        defer { if current != descriptor { close(current) } }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (isLast ? O_NONBLOCK : O_DIRECTORY)
            let next = openat(current, String(decoding: part, as: UTF8.self), flags)
            if current != descriptor { close(current) }
            current = next
            guard next >= 0 else {
                current = descriptor
                throw .status(404)
            }
        }
        return try Self.read(current, limit: limit)
    }

    /// Returns whether a part names something in its folder. Invalid UTF-8 would be opened under another name.
    private static func isPlain(_ part: ArraySlice<UInt8>) -> Bool {
        !part.isEmpty && part.count <= 255 && !part.contains(0) && !part.elementsEqual(".".utf8)
            && !part.elementsEqual("..".utf8) && String(validating: part, as: UTF8.self) != nil
    }

    private static func read(_ file: Int32, limit: Int) throws(ImageError) -> Data {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .status(404) }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge(.bytes(size, limit: limit)) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: min(max(size + 1, 4096), 1 << 20))
        while true {
            let count = buffer.withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .status(404) }
            if count == 0 { return data }
            guard data.count + count <= limit else { throw .tooLarge(.bytes(data.count + count, limit: limit)) }
            data.append(contentsOf: buffer[..<count])
        }
    }
}

/// `read` of the system, whose name a method hides.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    guard let bytes else { return 0 }
    return read(file, bytes, count)
}
#endif
