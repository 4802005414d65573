package import EaselFoundation

/// A mark on a URL in a cache: a pin or a tag.
package enum CacheMark: Sendable, Hashable {
    case pin
    case tag(String)

    /// The folder of the mark's files.
    var folder: String {
        switch self {
        case .pin: "pins"
        case .tag(let tag): Self.tags + "/" + Digest(of: tag).text
        }
    }

    static let tags = "tags"
}

/// A URL in a cache, with the key of its file.
package struct CachedURL: Sendable, Hashable {
    package let key: CacheKey
    package let url: URL

    init(_ request: ImageRequest) {
        key = request.urlKey
        url = URL(string: request.url.textWithoutUserAndFragment) ?? request.url
    }

    /// Reads a URL and its key. Fails for anything that `bytes` does not produce.
    init?(_ bytes: Data) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard lines.count == 2, let url = URL(string: String(lines[0])) else { return nil }
        var request = ImageRequest(url)
        request.cache.key = String(lines[1])
        self.init(request)
    }

    /// The URL and its key in two lines. No URL contains a line break.
    var bytes: Data { Data((url.absoluteString + "\n" + key.text).utf8) }
}

/// Marks are small files in the folder of the mark. Each contains a URL and is named by the URL's digest. Setting,
/// removing and finding one takes constant time, and a crash leaves it complete or absent. All calls block.
extension DiskEntries {
    private static let context = Data("mark".utf8)

    private static func name(of mark: CacheMark, _ key: CacheKey) -> String { mark.folder + "/" + key.urlDigest.text }

    func has(_ mark: CacheMark, _ source: CachedURL) -> Bool {
        folder.facts(of: Self.name(of: mark, source.key)) != nil
    }

    /// Returns whether the URL of an entry is pinned.
    func isPinned(_ name: String) -> Bool {
        folder.facts(of: CacheMark.pin.folder + "/" + Self.urlDigest(in: name)) != nil
    }

    func set(_ mark: CacheMark, _ source: CachedURL) throws(ImageError) {
        let name = Self.name(of: mark, source.key)
        let bytes = try settings.encryption?.seal(source.bytes, context: Self.context) ?? source.bytes
        do throws(SystemError) {
            var new = try NewFile(in: folder)
            try new.append(bytes)
            if settings.isDurable { try new.file.synchronise() }
            try publish(&new, as: name)
            if settings.isDurable { folder.synchronise(name) }
        } catch {
            throw unwritable(name, error)
        }
    }

    func remove(_ mark: CacheMark, _ key: CacheKey) throws(ImageError) {
        let name = Self.name(of: mark, key)
        do throws(SystemError) { try folder.remove(name) } catch { throw unwritable(name, error) }
        folder.removeEmptyFolder(mark.folder)
    }

    /// Removes the pin and the tags of a URL, or all pins and tags for `nil`.
    func removeMarks(of key: CacheKey? = nil) {
        for folder in markFolders {
            let names = key.map { [$0.urlDigest.text] } ?? (try? self.folder.names(in: folder)) ?? []
            for name in names { _ = try? self.folder.remove(folder + "/" + name) }
            self.folder.removeEmptyFolder(folder)
        }
        folder.removeEmptyFolder(CacheMark.tags)
    }

    private var markFolders: [String] {
        [CacheMark.pin.folder] + ((try? folder.names(in: CacheMark.tags)) ?? []).map { CacheMark.tags + "/" + $0 }
    }

    /// Returns the URLs with a mark and the dates when it was set, the earliest first.
    func urls(with mark: CacheMark) -> [(source: CachedURL, date: Double)] {
        let names = (try? folder.names(in: mark.folder)) ?? []
        return names.compactMap { name -> (source: CachedURL, date: Double)? in
            guard let file = try? folder.open(mark.folder + "/" + name), let facts = try? file.facts(),
                let bytes = try? file.read(expected: facts.byteCount, limit: 1 << 20),
                let opened = settings.encryption.map({ $0.open(bytes, context: Self.context) }) ?? bytes,
                let source = CachedURL(opened), source.key.urlDigest.text == name
            else { return nil }
            return (source, facts.modified)
        }.sorted { ($0.date, $0.source.key.text) < ($1.date, $1.source.key.text) }
    }

    /// Removes the tags of URLs without files. Tags of the last hour stay, as a load may not have stored its file yet.
    ///
    /// - Parameter used: The digests of the URLs that have files.
    func pruneTags(keeping used: Set<Substring>, now: Double = Date().timeIntervalSince1970) {
        for folder in markFolders.dropFirst() {
            for name in (try? self.folder.names(in: folder)) ?? [] where !used.contains(name[...]) {
                let path = folder + "/" + name
                guard let facts = self.folder.facts(of: path), now - facts.modified > 3600 else { continue }
                _ = try? self.folder.remove(path)
            }
            self.folder.removeEmptyFolder(folder)
        }
    }
}

/// Pins exempt files from trims and expiry while all pinned files are within their limit.
extension DiskEntries {
    /// Returns the entries that are exempt from limits because of a pin. Entries count towards the limit in the order
    /// in which they were pinned.
    func pinned(of entries: [DiskTrim.Entry]) -> Set<String> {
        let dates = ((try? folder.names(in: CacheMark.pin.folder)) ?? []).reduce(into: [Substring: Double]()) {
            $0[$1[...]] = folder.facts(of: CacheMark.pin.folder + "/" + $1)?.modified
        }
        guard !dates.isEmpty else { return [] }
        let pinned = Dictionary(grouping: entries) { Self.urlDigest(in: $0.name) }.filter { dates[$0.key] != nil }
        var room = settings.maximumPinnedBytes.bytes
        var kept: Set<String> = []
        for (_, entries) in pinned.sorted(by: { (dates[$0.key] ?? 0, $0.key) < (dates[$1.key] ?? 0, $1.key) }) {
            let bytes = entries.reduce(0) { $0 + $1.facts.byteCount }
            guard bytes <= room else { continue }
            room -= bytes
            kept.formUnion(entries.map(\.name))
        }
        return kept
    }
}
