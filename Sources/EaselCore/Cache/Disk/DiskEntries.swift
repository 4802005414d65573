import EaselFoundation

/// The entries of one folder. All calls block, except `readCached`.
final class DiskEntries: Sendable {
    let folder: Folder
    let settings: DiskCache.Configuration

    init(folder: Folder, settings: DiskCache.Configuration) {
        self.folder = folder
        self.settings = settings
    }

    // MARK: - Names

    /// Returns the name of the key's file, and the name that it had in versions without extensions.
    static func names(of key: CacheKey) -> [String] {
        key.fileExtension.isEmpty ? [key.fileName] : [key.fileName, key.bareFileName]
    }

    /// Returns the name without extension if a file system may refuse the extension, else `nil`. FAT allows no `?`, and its drivers report
    /// that by different errors.
    static func nameWithoutOddExtension(_ name: String) -> String? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let isPlain = name[dot...].utf8.dropFirst().allSatisfy { isDigit($0) || (0x61...0x7A).contains($0 | 0x20) }
        return isPlain && name.utf8.count < 64 ? nil : String(name[..<dot])
    }

    /// Returns whether a file of this name is an entry: 32 hexadecimal digits, and perhaps an extension.
    private static func isEntryName(_ name: String) -> Bool {
        let utf8 = name.utf8
        return utf8.count >= 32 && utf8.prefix(32).allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
            && (utf8.count == 32 || utf8.dropFirst(32).first == UInt8(ascii: "."))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: - One entry

    /// Reads the first of the key's files that is sound. Removes those that are not, unless the folder is only read.
    func read(_ key: CacheKey, isOurs: Bool = true) throws(ImageError) -> CachedFile? {
        try first(of: key) { name, file, facts throws(SystemError) in
            let data = try file.read(expected: facts.byteCount)
            var attribute = try Self.attribute(of: file)
            // A folder that is only read holds files of other programs, whatever its file system.
            if !isOurs, case .unsupported = attribute { attribute = .missing }
            // Only that version can check the bytes.
            if attribute.isOfAnotherVersion { return nil }
            guard let (record, payload) = Self.check(data, attribute), !isExpired(facts, record) else {
                if isOurs { _ = try? folder.remove(name) }
                return nil
            }
            // An entry that is encrypted, or not, against the settings is a miss but not removed.
            let found = decrypt(payload, record, key)
            if found != nil, isOurs, isTouchDue(facts) { touch(name) }
            return found
        }
    }

    /// Reads an entry without waiting for a disk and without changes; `nil` does not mean that there is no entry.
    func readCached(_ key: CacheKey) -> (file: CachedFile, name: String, isTouchDue: Bool)? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.openCached(name) else { continue }
                // The reading itself may count as an access, which would make an expired entry young.
                let facts = try file.facts()
                guard facts.isFile, facts.byteCount <= Self.longestCachedRead,
                    settings.expiration == .creation || !isExpired(facts, nil),
                    let data = file.readCached(count: facts.byteCount),
                    let (record, payload) = Self.check(data, try Self.attribute(of: file)),
                    !isExpired(facts, record), let found = decrypt(payload, record, key)
                else { return nil }
                return (found, name, isTouchDue(facts))
            } catch {
                return nil
            }
        }
        return nil
    }

    /// Larger files take too long to copy on a thread that draws. A decoded thumbnail is smaller.
    static let longestCachedRead = 528 << 10

    /// Reads the metadata of the first of the key's files that is not too old.
    func metadata(_ key: CacheKey) throws(ImageError) -> CacheMetadata? {
        try first(of: key) { _, file, facts throws(SystemError) in
            let attribute = try Self.attribute(of: file)
            let record = try Self.record(of: file, facts.byteCount, attribute)
            if isExpired(facts, record) { return nil }
            if let record { return metadata(in: record, key) }
            if case .missing = attribute, settings.encryption == nil { return CacheMetadata() }
            return nil
        }
    }

    func path(of key: CacheKey) -> String? {
        Self.names(of: key).first { name in
            guard let facts = folder.facts(of: name), facts.isFile else { return false }
            return !isExpired(facts, recordIfNeeded(name))
        }.map { path($0) }
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func touch(_ name: String, accessed seconds: Double = Date().timeIntervalSince1970) {
        folder.touch(name, accessed: seconds, orModified: settings.expiration != .modification)
    }

    private func first<Value>(
        of key: CacheKey, _ body: (String, borrowing OpenFile, FileFacts) throws(SystemError) -> Value?
    ) throws(ImageError) -> Value? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name) else { continue }
                let facts = try file.facts()
                if facts.isFile, let value = try body(name, file, facts) { return value }
            } catch {
                throw .unreadable(path: path(name), reason: error.reason)
            }
        }
        return nil
    }

    // MARK: - All entries

    /// Lists every entry, and removes temporary files of writers that died. Other files, links and folders are left alone.
    func list() throws(SystemError) -> [DiskTrim.Entry] {
        let now = Date().timeIntervalSince1970
        var names: [String] = []
        do throws(SystemError) { names = try folder.names() } catch { if !error.isMissing { throw error } }
        var entries: [DiskTrim.Entry] = []
        for name in names {
            if Self.isEntryName(name) {
                guard let facts = folder.facts(of: name), facts.isFile else { continue }
                entries.append(DiskTrim.Entry(name: name, facts: facts, created: recordIfNeeded(name)?.createdSeconds))
            } else {
                TemporaryName.removeIfLeftOver(name, in: folder, now: now)
            }
        }
        return entries
    }

    /// Returns whether the bytes of an entry are those that were stored; `nil` if it cannot be read, or is of another version.
    func isSound(_ name: String) -> Bool? {
        guard let file = try? folder.open(name), let facts = try? file.facts(),
            let attribute = try? Self.attribute(of: file), !attribute.isOfAnotherVersion,
            let data = try? file.read(expected: facts.byteCount)
        else { return nil }
        return Self.check(data, attribute) != nil
    }

    /// Removes the file that was listed, but not one that has taken its name since. Returns whether it is gone.
    func removeUnchanged(_ entry: DiskTrim.Entry) -> Bool {
        guard let facts = folder.facts(of: entry.name) else { return true }
        guard facts.number == entry.facts.number, facts.modified == entry.facts.modified else { return false }
        return (try? folder.remove(entry.name)) == true
    }

    private func recordIfNeeded(_ name: String) -> DiskRecord? {
        guard settings.expiration == .creation, let file = try? folder.open(name), let facts = try? file.facts(),
            let attribute = try? Self.attribute(of: file)
        else { return nil }
        return try? Self.record(of: file, facts.byteCount, attribute)
    }

    // MARK: - Checks

    static let attributeName = "user.easel"

    enum Attribute {
        case record([UInt8])
        case missing
        /// The file system has no extended attributes.
        case unsupported

        /// Whether another version of this cache wrote it.
        var isOfAnotherVersion: Bool {
            if case .record(let bytes) = self { bytes.first != DiskRecord.version } else { false }
        }
    }

    static func attribute(of file: borrowing OpenFile) throws(SystemError) -> Attribute {
        do throws(SystemError) {
            return try file.attribute(attributeName).map(Attribute.record) ?? .missing
        } catch {
            if error.isUnsupported { return .unsupported }
            throw error
        }
    }

    private func isExpired(_ facts: FileFacts, _ record: DiskRecord?) -> Bool {
        // An age of zero ends at the next trim, not before the first read.
        settings.maximumAge.duration > .zero
            && DiskTrim(limits: settings, now: Date().timeIntervalSince1970)
                .isExpired(facts, created: record?.createdSeconds)
    }

    private func isTouchDue(_ facts: FileFacts) -> Bool {
        abs(Date().timeIntervalSince1970 - facts.accessed) > settings.touchInterval
    }

    /// Returns the record and the payload of a file, or `nil` if the payload is not the one that the record was written for.
    ///
    /// A file without a record was put there by another program, and is sound; but not on a file system without attributes, where
    /// truncation also removes the record.
    static func check(_ data: Data, _ attribute: Attribute) -> (record: DiskRecord?, payload: Data)? {
        var found = DiskRecord.readTrailer(in: data)
        switch attribute {
        case .record(let bytes):
            guard let record = DiskRecord(bytes) else { return nil }
            if !record.continuesInTrailer {
                return record.matches(data) ? (record, data) : nil
            }
            if found?.pointer != record { found = nil }
        // Copied from or to a file system without attributes.
        case .missing: if found == nil { return (nil, data) }
        case .unsupported: break
        }
        guard let found else { return nil }
        let payload = data.prefix(found.length)
        return found.matches(payload) ? (found, payload) : nil
    }

    /// Reads the record of a file without the payload; `nil` if there is none that fits the length.
    private static func record(
        of file: borrowing OpenFile, _ length: Int, _ attribute: Attribute
    ) throws(SystemError) -> DiskRecord? {
        if case .record(let bytes) = attribute {
            guard let record = DiskRecord(bytes) else { return nil }
            if !record.continuesInTrailer { return record.length == length ? record : nil }
        }
        var end = try file.readEnd(4096, of: length)
        if let longer = DiskRecord.trailerLength(in: end), longer > end.count {
            end = try file.readEnd(longer, of: length)
        }
        return DiskRecord.readTrailer(in: end, of: length)
    }

    /// Decrypts the payload and the metadata; `nil` if they are encrypted, or not, against the settings.
    private func decrypt(_ payload: Data, _ record: DiskRecord?, _ key: CacheKey) -> CachedFile? {
        guard let record else { return settings.encryption == nil ? CachedFile(data: payload) : nil }
        guard let metadata = metadata(in: record, key) else { return nil }
        guard let encryption = settings.encryption else { return CachedFile(data: payload, metadata: metadata) }
        return encryption.open(payload, context: Self.payloadContext(key)).map {
            CachedFile(data: $0, metadata: metadata)
        }
    }

    private func metadata(in record: DiskRecord, _ key: CacheKey) -> CacheMetadata? {
        guard record.isEncrypted == (settings.encryption != nil) else { return nil }
        var details = record.details
        if let encryption = settings.encryption {
            guard let opened = encryption.open(Data(details), context: Self.detailsContext(key)) else { return nil }
            details = Array(opened)
        }
        return CacheMetadata(details, created: Date(timeIntervalSince1970: record.createdSeconds))
    }

    /// What an encrypted part belongs to, so that one cannot replace another.
    static func payloadContext(_ key: CacheKey) -> Data { Data(("payload " + key.text).utf8) }
    static func detailsContext(_ key: CacheKey) -> Data { Data(("details " + key.text).utf8) }
}
