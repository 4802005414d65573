import EaselFoundation

/// The entries of one folder: the calls behind `DiskCache`. They block, but for those that say otherwise.
final class DiskEntries: Sendable {
    let folder: Folder
    let settings: DiskCache.Configuration
    /// `nil` where each name has to be asked for.
    private let watch: FolderWatch?

    init(folder: Folder, settings: DiskCache.Configuration) {
        self.folder = folder
        self.settings = settings
        watch = settings.asksForEachName ? nil : FolderWatch(folder)
    }

    static let attributeName = "user.easel"

    /// What a file proved to be.
    enum Verdict {
        case sound(CachedFile, isTouchDue: Bool)
        /// Older than the limit: a miss (B53).
        case expired
        /// Not the bytes that were stored: a miss (B49).
        case damaged
        /// Encrypted, or not, against the settings: a miss, but not ours to remove.
        case foreign
    }

    /// The first of the key's files that is sound. Of a folder of ours, what is not is removed on the way.
    func read(_ key: CacheKey, isOurs: Bool = true) throws(ImageError) -> CachedFile? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name), let facts = try Self.regular(file) else { continue }
                let data = try file.read(expected: facts.byteCount)
                var attribute = try Self.attribute(of: file)
                // A folder that is never written holds files of other programs, whatever its file system.
                if !isOurs, case .unsupported = attribute { attribute = .none }
                switch examine(data, attribute, facts, key) {
                case .sound(let found, let isTouchDue):
                    if isTouchDue, isOurs { touch(name) }
                    return found
                // A miss also where nothing can be removed. The next scan finds what the counter is not told here.
                case .expired, .damaged: if isOurs { _ = try? folder.remove(name) }
                case .foreign: continue
                }
            } catch {
                throw .unreadable(path: folder.path + "/" + name, reason: error.reason)
            }
        }
        return nil
    }

    /// The same where no disk has to be asked and nothing has to be done; `nil` says nothing. Never blocks.
    func readCached(_ key: CacheKey) -> (file: CachedFile, name: String, isTouchDue: Bool)? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.openCached(name) else { continue }
                // The system may take the reading itself for a use, which would make an expired entry young.
                guard let facts = try Self.regular(file), facts.byteCount <= Self.longestCachedRead,
                    settings.expiration == .creation || !isExpired(facts, created: nil),
                    let data = file.readCached(count: facts.byteCount),
                    case .sound(let found, let isTouchDue) = examine(data, try Self.attribute(of: file), facts, key)
                else { return nil }
                return (found, name, isTouchDue)
            } catch {
                return nil
            }
        }
        return nil
    }

    /// A larger file takes longer to copy than a thread that draws should wait. A decoded thumbnail is smaller.
    static let longestCachedRead = 528 << 10

    func contains(_ key: CacheKey) -> Bool {
        Self.names(of: key).contains(where: isPresent)
    }

    /// The same where no disk has to be asked, else `nil`. Never blocks.
    func containsCached(_ key: CacheKey) -> Bool? {
        // When the bytes were stored is in the record, and that may have to be fetched.
        guard settings.expiration != .creation else { return nil }
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let facts = try folder.factsCached(of: name), facts.isFile else { continue }
                if !isExpired(facts, created: nil) { return true }
            } catch {
                return nil
            }
        }
        return false
    }

    /// Whether the key has no file, under any of its names, as far as that is known. Never blocks.
    func isKnownMissing(_ key: CacheKey) -> Bool { watch?.isMissing(key) == true }

    /// A listing that has to be made, for `isKnownMissing` to know; `nil` where it does, or never will.
    func beginListing() -> FolderNames.Listing? { watch?.beginListing() }

    /// Makes a listing.
    func make(_ listing: FolderNames.Listing) { watch?.end(listing, try? folder.names()) }

    /// The path of the file that holds the key's entry.
    func path(of key: CacheKey) -> String? {
        Self.names(of: key).first(where: isPresent).map { folder.path + "/" + $0 }
    }

    func touch(_ name: String, accessed seconds: Double = Date().timeIntervalSince1970) {
        folder.touch(name, accessed: seconds, orModified: settings.expiration != .modification)
    }

    /// The name of the key's file, and the one of a file that was written before names had extensions (S123).
    static func names(of key: CacheKey) -> EntryNames { EntryNames(key) }

    /// The second of them, by the first, where the extension is one that a file system may refuse: FAT allows no `?`, and says so by
    /// an error that differs between its drivers. Else `nil`.
    static func nameWithoutOddExtension(_ name: String) -> String? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let isPlain = name[dot...].utf8.dropFirst().allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        return isPlain && name.utf8.count < 64 ? nil : String(name[..<dot])
    }

    // MARK: - Looking at a file

    private func isPresent(_ name: String) -> Bool {
        guard let facts = folder.facts(of: name), facts.isFile else { return false }
        return !isExpired(facts, created: created(name))
    }

    static func regular(_ file: borrowing OpenFile) throws(SystemError) -> FileFacts? {
        let facts = try file.facts()
        return facts.isFile ? facts : nil
    }

    /// What stands beside a file's bytes.
    enum Attribute {
        case record([UInt8])
        case none
        /// The file system has no extended attributes.
        case unsupported

        /// Whether it was written by another version of this cache, which alone can judge the bytes.
        var isOfAnotherVersion: Bool {
            if case .record(let bytes) = self { bytes.first != DiskRecord.version } else { false }
        }
    }

    static func attribute(of file: borrowing OpenFile) throws(SystemError) -> Attribute {
        do throws(SystemError) {
            return try file.attribute(attributeName).map(Attribute.record) ?? .none
        } catch {
            if error.isUnsupported { return .unsupported }
            throw error
        }
    }

    func isExpired(_ facts: FileFacts, _ record: DiskRecord?) -> Bool {
        isExpired(facts, created: record.map { Double($0.created) / 1000 })
    }

    private func isExpired(_ facts: FileFacts, created: Double?) -> Bool {
        // An age of zero ends at the next trim, not before the first read (X071).
        settings.maximumAge > .zero
            && DiskTrim(limits: settings, now: Date().timeIntervalSince1970).isExpired(facts, created: created)
    }

    func examine(_ data: Data, _ attribute: Attribute, _ facts: FileFacts, _ key: CacheKey) -> Verdict {
        if attribute.isOfAnotherVersion { return .foreign }
        guard let (record, payload) = Self.sound(data, attribute) else { return .damaged }
        if isExpired(facts, record) { return .expired }
        guard let file = opened(payload, record, key) else { return .foreign }
        let idle = abs(Date().timeIntervalSince1970 - facts.accessed)
        return .sound(file, isTouchDue: idle > settings.touchInterval)
    }

    /// The record and the payload of a file, or `nil` where the payload is not what the record was written for.
    static func sound(_ data: Data, _ attribute: Attribute) -> (record: DiskRecord?, payload: Data)? {
        guard let (record, payload) = recorded(data, attribute), record?.matches(payload) ?? true else { return nil }
        return (record, payload)
    }

    /// The record and the payload of a file by their lengths alone. A file without a record was put there by another
    /// program, and is what it is; but not on a file system where a truncation takes the record along.
    static func recorded(_ data: Data, _ attribute: Attribute) -> (record: DiskRecord?, payload: Data)? {
        let trailing = DiskRecord.trailing(in: data)
        switch attribute {
        case .record(let bytes):
            guard let record = DiskRecord(bytes) else { return nil }
            if !record.continuesInTrailer { return record.length == data.count ? (record, data) : nil }
            guard let trailing, record == trailing.pointer else { return nil }
            return (trailing, data.prefix(trailing.length))
        case .none, .unsupported:
            // Copied from or to a file system without attributes.
            if let trailing { return (trailing, data.prefix(trailing.length)) }
            if case .none = attribute { return (nil, data) }
            return nil
        }
    }

    /// The record of a file, whose payload is not read; `nil` where it has none that fits its length.
    static func record(of file: borrowing OpenFile, _ attribute: Attribute) throws(SystemError) -> DiskRecord? {
        let length = try file.facts().byteCount
        if case .record(let bytes) = attribute {
            guard let record = DiskRecord(bytes) else { return nil }
            if !record.continuesInTrailer { return record.length == length ? record : nil }
        }
        // Longer than nearly all trailers.
        var end = try file.readEnd(4096, of: length)
        if let longer = DiskRecord.trailerLength(in: end), longer > end.count {
            end = try file.readEnd(longer, of: length)
        }
        return DiskRecord.trailing(in: end, of: length)
    }

    /// Payload and metadata as the user gave them; `nil` where they are encrypted and there is no key, or the other way round.
    private func opened(_ payload: Data, _ record: DiskRecord?, _ key: CacheKey) -> CachedFile? {
        guard let record else { return settings.encryption == nil ? CachedFile(data: payload) : nil }
        guard let metadata = metadata(in: record, key) else { return nil }
        guard let encryption = settings.encryption else { return CachedFile(data: payload, metadata: metadata) }
        return encryption.open(payload, context: DiskSecret.payload(key)).map {
            CachedFile(data: $0, metadata: metadata)
        }
    }

    /// The metadata of a record; `nil` as above.
    func metadata(in record: DiskRecord, _ key: CacheKey) -> CacheMetadata? {
        guard record.isEncrypted == (settings.encryption != nil) else { return nil }
        guard let encryption = settings.encryption else {
            return CacheMetadata(record.details, created: record.createdDate)
        }
        return encryption.open(Data(record.details), context: DiskSecret.details(key))
            .flatMap { CacheMetadata(Array($0), created: record.createdDate) }
    }
}

/// The names that a key's file may have, each made when it is asked for: the first is nearly always the one.
struct EntryNames: Sequence, IteratorProtocol {
    private let key: CacheKey
    private var count = 0

    init(_ key: CacheKey) {
        self.key = key
    }

    mutating func next() -> String? {
        count += 1
        switch count {
        case 1: return key.fileName
        case 2 where !key.fileExtension.isEmpty: return key.bareFileName
        default: return nil
        }
    }
}

/// What an encrypted part belongs to, so that one cannot stand in for another.
enum DiskSecret {
    static func payload(_ key: CacheKey) -> Data { Data(("payload " + key.text).utf8) }
    static func details(_ key: CacheKey) -> Data { Data(("details " + key.text).utf8) }
}
