import EaselFoundation

/// A folder of partial downloads, with limits of number, size and age.
///
/// Errors prevent only the resumption. Several processes can share a folder.
final class PartialFolder: Sendable {
    struct Limits: Sendable {
        var count = 64
        var bytes = 256 << 20
        var age = Duration.seconds(7 * 86_400)
    }

    let path: String
    private let limits: Limits

    init(path: String, limits: Limits = Limits()) {
        self.path = path
        self.limits = limits
    }

    /// Returns the partial download for a key; `nil` if there is none, or it has more than `limit` bytes.
    func partial(for key: CacheKey, limit: Int) async -> PartialDownload? {
        await WorkerPool.reads.run { [path] in
            guard let folder = try? Folder(path: path, creating: false), let file = try? folder.open(Self.name(key)),
                let facts = try? file.facts(), facts.isFile,
                let data = try? file.read(expected: facts.byteCount, limit: max(limit, limit &+ limit / 4 &+ 65_536)),
                let partial = PartialFile.read(data, key: key), partial.body.count <= limit
            else { return nil }
            return partial
        }
    }

    /// Creates a file with the bytes that have arrived. Returns the writer for the others, or `nil` if that fails.
    func begin(_ partial: PartialDownload, for key: CacheKey) async -> PartialWriter? {
        await WorkerPool.writes.run { [self] in
            guard let folder = try? Folder(path: path, creating: true) else { return nil }
            trim(folder, sparing: Self.name(key), room: partial.body.count)
            do throws(SystemError) {
                var file = try NewFile(in: folder)
                try file.append(PartialFile.head(of: partial, key: key))
                try file.append(PartialFile.frame(partial.body))
                try file.publish(as: Self.name(key))
                return PartialWriter(file, room: limits.bytes - partial.body.count)
            } catch {
                return nil
            }
        }
    }

    /// Removes the partial download for a key.
    func remove(_ key: CacheKey) async {
        await WorkerPool.writes.run { [path] in
            if let folder = try? Folder(path: path, creating: false) { _ = try? folder.remove(Self.name(key)) }
        }
    }

    /// Removes all partial downloads, or those of one URL.
    func removeAll(of url: Digest? = nil) async {
        await WorkerPool.writes.run { [path] in
            guard let folder = try? Folder(path: path, creating: false) else { return }
            for name in (try? folder.names()) ?? []
            where name.hasSuffix(Self.suffix) && name.hasPrefix(url?.text ?? "") { _ = try? folder.remove(name) }
        }
    }

    private static let suffix = ".part"
    /// Begins with the digest of the URL, also for a user's file.
    private static func name(_ key: CacheKey) -> String {
        key.urlDigest.text + "-" + key.digest.text.prefix(16) + suffix
    }

    /// Removes files that are too old, and the oldest until there is room for `room` more bytes.
    private func trim(_ folder: Folder, sparing spared: String, room: Int) {
        let now = Date().timeIntervalSince1970
        var remaining: [(name: String, facts: FileFacts)] = []
        for name in (try? folder.names()) ?? [] where name != spared {
            if name.hasSuffix(Self.suffix) {
                if let facts = folder.facts(of: name), facts.isFile { remaining.append((name, facts)) }
            } else {
                NewFile.removeIfLeftOver(name, in: folder)
            }
        }
        remaining.sort { $0.facts.modified > $1.facts.modified }
        var (count, bytes) = (1, room)
        for (name, facts) in remaining {
            count += 1
            bytes += facts.byteCount
            let isTooMuch = count > limits.count || bytes > limits.bytes
            if isTooMuch || now - facts.modified > limits.age.seconds { _ = try? folder.remove(name) }
        }
    }
}

/// A writer that appends the pieces of a download to its file as they arrive. Used by one task.
final class PartialWriter {
    private let file: NewFile
    /// The number of bytes that may still be written.
    private var room: Int

    init(_ file: consuming NewFile, room: Int) {
        self.file = file
        self.room = room
    }

    /// Writes a piece if there is room for it. Pieces after a gap would be useless, and are dropped.
    func append(_ bytes: [UInt8]) async {
        room = room >= bytes.count ? room - bytes.count : -1
        guard room >= 0 else { return }
        await WorkerPool.writes.run { if (try? file.file.append(PartialFile.frame(bytes))) == nil { room = -1 } }
    }
}

/// The format of a partial download: a frame with its metadata, and a frame for every piece.
///
/// Each frame is its length (4 bytes, little-endian), CRC-32C (4 bytes), and content, so that everything before a torn
/// end of the file can be used.
enum PartialFile {
    private static let magic = Array("EaselPart1".utf8)
    private static let totalField = "total"
    private static let keyField = "key"

    /// Returns the first frame of a file.
    static func head(of partial: PartialDownload, key: CacheKey) -> Data {
        var fields = partial.response.metadata
        fields[totalField] = partial.total.map { String($0) }
        // A file can be renamed.
        fields[keyField] = key.digest.text
        return frame(magic + CacheMetadata(fields: fields).bytes)
    }

    /// Returns the frame of a piece.
    static func frame(_ bytes: some Collection<UInt8>) -> Data {
        let bytes = Array(bytes)
        var writer = ByteWriter()
        writer.write(UInt32(bytes.count))
        writer.write(bytes.withUnsafeBytes(CRC32C.checksum))
        return Data(writer.bytes) + bytes
    }

    /// Reads a file up to the first damaged frame; `nil` if that is nothing, or of another key.
    static func read(_ file: Data, key: CacheKey) -> PartialDownload? {
        var rest = file[...]
        guard let head = readFrame(&rest), head.starts(with: magic),
            let fields = CacheMetadata(Array(head.dropFirst(magic.count)), created: nil)?.fields,
            fields[keyField] == key.digest.text, let response = StoredResponse(metadata: fields)
        else { return nil }
        var body = Data(capacity: rest.count)
        while let piece = readFrame(&rest) { body.append(piece) }
        return body.isEmpty
            ? nil : PartialDownload(response: response, total: fields[totalField].flatMap { Int($0) }, body: body)
    }

    private static func readFrame(_ rest: inout Data.SubSequence) -> Data.SubSequence? {
        var reader = ByteReader(Array(rest.prefix(8)))
        guard let length = reader.read(UInt32.self).map(Int.init), let checksum = reader.read(UInt32.self) else {
            return nil
        }
        let payload = rest.dropFirst(8).prefix(length)
        guard payload.count == length, payload.withUnsafeBytes(CRC32C.checksum) == checksum else { return nil }
        rest = rest.dropFirst(8 + length)
        return payload
    }
}
