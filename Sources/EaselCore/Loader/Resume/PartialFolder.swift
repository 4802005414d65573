import EaselFoundation
import Synchronization

/// A folder of partial downloads: one file each, of a bounded number, size and age.
///
/// An error costs the resumption and nothing else. Several processes may share a folder: each file is written under a temporary name
/// and then renamed.
final class PartialFolder: Sendable {
    /// How much is kept.
    struct Limits: Sendable {
        var count = 64
        var bytes = 256 << 20
        var age = Duration.days(7)
    }

    let path: String
    private let limits: Limits

    init(path: String, limits: Limits = Limits()) {
        self.path = path
        self.limits = limits
    }

    /// The partial download for a key; `nil` if there is none, or it has more than `limit` bytes.
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

    /// Creates a file with the bytes that have arrived; the rest follows through the writer. `nil` if it cannot be written.
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

    /// Removes all partial downloads.
    func removeAll() async {
        await WorkerPool.writes.run { [path] in
            guard let folder = try? Folder(path: path, creating: false) else { return }
            for name in (try? folder.names()) ?? [] where name.hasSuffix(Self.suffix) { _ = try? folder.remove(name) }
        }
    }

    private static let suffix = ".part"
    private static func name(_ key: CacheKey) -> String { key.bareFileName + suffix }

    /// Makes room for `room` bytes more: removes what is too old, and then the oldest.
    private func trim(_ folder: Folder, sparing spared: String, room: Int) {
        let now = Date().timeIntervalSince1970
        var kept: [(name: String, facts: FileFacts)] = []
        for name in (try? folder.names()) ?? [] where name != spared {
            if name.hasSuffix(Self.suffix) {
                if let facts = folder.facts(of: name), facts.isFile { kept.append((name, facts)) }
            } else {
                TemporaryName.removeIfLeftOver(name, in: folder, now: now)
            }
        }
        kept.sort { $0.facts.modified > $1.facts.modified }
        var (count, bytes) = (1, room)
        for (name, facts) in kept {
            count += 1
            bytes += facts.byteCount
            let isTooMuch = count > limits.count || bytes > limits.bytes
            if isTooMuch || now - facts.modified > limits.age.seconds { _ = try? folder.remove(name) }
        }
    }
}

extension ImageDownloader {
    /// Removes all partial downloads in a folder that was a `partialFolder` of any downloader.
    public static func removePartialDownloads(in folder: String) async {
        await PartialFolder(path: folder).removeAll()
    }
}

/// Appends the pieces of a download to its file as they arrive. The download waits only if the disk is slower.
final class PartialWriter: Sendable {
    private let file: NewFile
    /// The bytes that may still be written, and those that wait for the disk.
    private let state: Mutex<(room: Int, pending: Int)>
    private let queue = SerialQueue()

    /// - Parameter room: the most bytes that are written; later ones are dropped.
    init(_ file: consuming NewFile, room: Int) {
        self.file = file
        state = Mutex((room, 0))
    }

    func append(_ bytes: [UInt8]) async {
        let (isAdded, isBehind) = state.withLock { state in
            let isAdded = state.room >= bytes.count
            // After a gap nothing would be of use.
            state.room = isAdded ? state.room - bytes.count : 0
            if isAdded { state.pending += bytes.count }
            return (isAdded, state.pending > 1 << 20)
        }
        if isAdded { queue.begin { self.write(bytes) } }
        if isBehind { await queue.settle() }
    }

    /// Returns when everything is written.
    func finish() async { await queue.settle() }

    private func write(_ bytes: [UInt8]) {
        let isWritten = (try? file.file.append(PartialFile.frame(bytes))) != nil
        state.withLock { state in
            state.pending -= bytes.count
            if !isWritten { state.room = 0 }
        }
    }
}

/// The format of a partial download: a frame with its metadata, and a frame for every piece.
///
/// Each frame has its length and its checksum, so that a torn end of the file is noticed and everything before it is used.
/// Little-endian: length (4 bytes), CRC-32C (4), bytes.
enum PartialFile {
    private static let magic = Array("EaselPart1".utf8)
    private static let totalField = "total"
    private static let keyField = "key"

    /// The first frame of a file.
    static func head(of partial: PartialDownload, key: CacheKey) -> Data {
        var fields = partial.response.metadata
        fields[totalField] = partial.total.map { String($0) }
        // The name of the file is not enough: a file can be renamed.
        fields[keyField] = key.bareFileName
        return frame(magic + CacheMetadata(fields: fields).bytes)
    }

    static func frame(_ bytes: some Collection<UInt8>) -> Data {
        let bytes = Array(bytes)
        var writer = ByteWriter()
        writer.write(UInt32(bytes.count))
        writer.write(bytes.withUnsafeBytes(CRC32C.checksum))
        return Data(writer.bytes) + bytes
    }

    /// Reads a file up to the first frame that is not whole; `nil` if that is nothing, or of another key.
    static func read(_ file: Data, key: CacheKey) -> PartialDownload? {
        var rest = file[...]
        guard let head = next(&rest), head.starts(with: magic),
            let fields = CacheMetadata(Array(head.dropFirst(magic.count)), created: nil)?.fields,
            fields[keyField] == key.bareFileName, let response = StoredResponse(metadata: fields)
        else { return nil }
        var body = Data(capacity: rest.count)
        while let piece = next(&rest) { body.append(piece) }
        return body.isEmpty
            ? nil : PartialDownload(response: response, total: fields[totalField].flatMap { Int($0) }, body: body)
    }

    private static func next(_ rest: inout Data.SubSequence) -> Data.SubSequence? {
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
