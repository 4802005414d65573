import EaselFoundation

/// The folder of the downloads that broke off: one file each, a bounded number and size of them, for a bounded time.
///
/// What cannot be read or written costs the resumption, and nothing else. Several processes may share a folder: each file
/// is written under a name of its own and then renamed, and who finds another's file reads what is there.
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

    /// What is kept for a key; `nil` where there is nothing, or more than `limit` bytes.
    func partial(for key: CacheKey, limit: Int) async -> PartialDownload? {
        // Mostly nothing has ever broken off.
        if Folder.isKnownMissing(path) { return nil }
        return await WorkerPool.reads.run { [path] in
            guard let folder = try? Folder(path: path, creating: false), let file = try? folder.open(Self.name(key)),
                let facts = try? file.facts(), facts.isFile,
                let data = try? file.read(expected: facts.byteCount, limit: max(limit, limit &+ limit / 4 &+ 65_536)),
                let partial = PartialFile.read(data, key: key), partial.body.count <= limit
            else { return nil }
            return partial
        }
    }

    /// Begins a file with what has come; the rest follows through the writer. `nil` where it cannot be written.
    func begin(_ partial: PartialDownload, for key: CacheKey) async -> PartialWriter? {
        await WorkerPool.writes.run { [self] in
            guard let folder = try? Folder(path: path, creating: true) else { return nil }
            trim(folder, sparing: Self.name(key), room: partial.body.count)
            let temporary = TemporaryName.next()
            do throws(SystemError) {
                let file = try folder.create(temporary)
                do throws(SystemError) {
                    try file.append(PartialFile.head(of: partial, key: key))
                    try file.append(PartialFile.frame(partial.body))
                    try folder.rename(temporary, to: Self.name(key))
                } catch {
                    _ = try? folder.remove(temporary)
                    return nil
                }
                return PartialWriter(file, room: limits.bytes - partial.body.count)
            } catch {
                return nil
            }
        }
    }

    /// Forgets what is kept for a key.
    func remove(_ key: CacheKey) async {
        await WorkerPool.writes.run { [path] in
            if let folder = try? Folder(path: path, creating: false) { _ = try? folder.remove(Self.name(key)) }
        }
    }

    /// Forgets everything.
    func removeAll() async {
        await WorkerPool.writes.run { [path] in
            guard let folder = try? Folder(path: path, creating: false) else { return }
            for name in (try? folder.names()) ?? [] where name.hasSuffix(Self.suffix) { _ = try? folder.remove(name) }
        }
    }

    private static let suffix = ".part"
    private static func name(_ key: CacheKey) -> String { key.bareFileName + suffix }

    /// Makes room for `room` bytes more: what is too old goes, and then the oldest.
    private func trim(_ folder: Folder, sparing spared: String, room: Int) {
        let now = Date().timeIntervalSince1970
        var kept: [(name: String, facts: FileFacts)] = []
        for name in (try? folder.names()) ?? [] {
            guard let facts = folder.facts(of: name), facts.isFile, name != spared else { continue }
            if let owner = TemporaryName.owner(of: name) {
                if TemporaryName.isLeftOver(owner: owner, modified: facts.modified, now: now) {
                    _ = try? folder.remove(name)
                }
            } else if name.hasSuffix(Self.suffix) {
                kept.append((name, facts))
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
    /// Removes what is left in a folder that was a `partialFolder`, whatever downloader used it.
    public static func removePartialDownloads(in folder: String) async {
        await PartialFolder(path: folder).removeAll()
    }
}
