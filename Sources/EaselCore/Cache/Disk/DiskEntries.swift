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

    /// Returns the name of the key's file, and its name without extension, which earlier versions used.
    static func names(of key: CacheKey) -> [String] {
        key.fileExtension.isEmpty ? [key.fileName] : [key.fileName, key.bareFileName]
    }

    /// Returns the name without extension if a file system might refuse the extension, else `nil`. For example, FAT
    /// allows no `?`, and its drivers report that by different errors.
    static func nameWithoutOddExtension(_ name: String) -> String? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let isPlain = name[dot...].utf8.dropFirst().allSatisfy { isDigit($0) || (0x61...0x7A).contains($0 | 0x20) }
        return isPlain && name.utf8.count < 64 ? nil : String(name[..<dot])
    }

    /// Returns whether a file of this name is an entry: 32 hexadecimal digits; for a variant, a hyphen and 16 more; and
    /// an optional extension.
    private static func isEntryName(_ name: String, isVariant: Bool = false) -> Bool {
        var rest = name.utf8[...]
        guard removeDigits(32, from: &rest) else { return false }
        if isVariant { guard rest.popFirst() == UInt8(ascii: "-"), removeDigits(16, from: &rest) else { return false } }
        return rest.isEmpty || rest.first == UInt8(ascii: ".")
    }

    /// Removes this number of hexadecimal digits. Returns whether there were enough.
    private static func removeDigits(_ count: Int, from text: inout Substring.UTF8View) -> Bool {
        let digits = text.prefix(count)
        text = text.dropFirst(count)
        return digits.count == count && digits.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// Returns whether a folder of this name contains variants.
    private static func isFolderOfVariants(_ name: String) -> Bool {
        var rest = name.utf8[...]
        return name.utf8.count == 2 && removeDigits(2, from: &rest)
    }

    /// Returns the digest of the URL in the path of an entry.
    static func urlDigest(in name: String) -> Substring {
        (name.utf8.dropFirst(2).first == UInt8(ascii: "/") ? name.dropFirst(3) : name[...]).prefix(32)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    // MARK: - One entry

    /// Reads the first undamaged file of a key.
    ///
    /// - Parameter isWritable: Whether damaged and expired files may be removed. `false` for read-only folders.
    func read(_ key: CacheKey, isWritable: Bool = true) throws(ImageError) -> CachedFile? {
        try first(of: key) { name, file, facts throws(SystemError) in
            let data = try file.read(expected: facts.byteCount)
            var attribute = try Self.attribute(of: file)
            // In a read-only folder, files without a record are valid on every file system.
            if !isWritable, case .unsupported = attribute { attribute = .missing }
            // Only the version that wrote the record can check the bytes.
            if attribute.isOfAnotherVersion { return nil }
            guard let (record, payload) = Self.check(data, attribute), !isExpired(name, facts, record) else {
                if isWritable { _ = removeUnchanged(DiskTrim.Entry(name: name, facts: facts)) }
                return nil
            }
            // If the entry is encrypted and the settings have no encryption, or the reverse, it is a miss but stays.
            let found = decrypt(payload, record, key)
            if found != nil, isWritable, isTouchDue(facts) { touch(name) }
            return found
        }
    }

    /// Reads an entry from the page cache, without waiting for a disk and without changes. `nil` does not mean that
    /// there is no entry.
    func readCached(_ key: CacheKey) -> (file: CachedFile, name: String, isTouchDue: Bool)? {
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.openCached(name) else { continue }
                // Checked before the read, which can update the access date of an expired entry.
                let facts = try file.facts()
                guard facts.isFile, facts.byteCount <= Self.longestCachedRead,
                    settings.expiration == .creation || !isExpired(name, facts, nil),
                    let data = file.readCached(count: facts.byteCount),
                    let (record, payload) = Self.check(data, try Self.attribute(of: file)),
                    !isExpired(name, facts, record), let found = decrypt(payload, record, key)
                else { return nil }
                return (found, name, isTouchDue(facts))
            } catch {
                return nil
            }
        }
        return nil
    }

    /// The longest file that is read on the calling thread, which may be drawing. Decoded thumbnails are smaller.
    static let longestCachedRead = 528 << 10

    /// Reads the metadata of the first file of a key that is not expired.
    func metadata(_ key: CacheKey) throws(ImageError) -> CacheMetadata? {
        try first(of: key) { name, file, facts throws(SystemError) in
            let attribute = try Self.attribute(of: file)
            let record = try Self.record(of: file, facts.byteCount, attribute)
            if isExpired(name, facts, record) { return nil }
            if let record { return metadata(in: record, key) }
            if case .missing = attribute, settings.encryption == nil { return CacheMetadata() }
            return nil
        }
    }

    func path(of key: CacheKey) -> String? {
        Self.names(of: key).first { name in
            guard let facts = folder.facts(of: name), facts.isFile else { return false }
            return !isExpired(name, facts, recordIfNeeded(name))
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
                throw .unreadable(path: path(name), error)
            }
        }
        return nil
    }

    // MARK: - All entries

    /// Lists all entries, and removes temporary files and leases of processes that have ended. Ignores other files,
    /// links and folders.
    func list() throws(SystemError) -> [DiskTrim.Entry] {
        var names: [String] = []
        do throws(SystemError) { names = try self.names() } catch { if !error.isMissing { throw error } }
        removeDeadLeases()
        return names.compactMap { name in
            guard let facts = folder.facts(of: name), facts.isFile else { return nil }
            return DiskTrim.Entry(name: name, facts: facts, created: recordIfNeeded(name)?.createdSeconds)
        }
    }

    /// Returns the paths of all files with the name of an entry, and removes temporary files of processes that have
    /// ended.
    func names() throws(SystemError) -> [String] {
        var names: [String] = []
        for name in try folder.names() {
            if Self.isEntryName(name) {
                names.append(name)
            } else if Self.isFolderOfVariants(name) {
                names +=
                    (try? folder.names(in: name))?.filter { Self.isEntryName($0, isVariant: true) }
                    .map { name + "/" + $0 } ?? []
            } else {
                NewFile.removeIfLeftOver(name, in: folder)
            }
        }
        return names
    }

    /// Returns the paths of all files of one URL. Does not list the whole folder.
    func names(ofURL key: CacheKey) -> [String] {
        let url = key.urlDigest.text
        let variants = (try? folder.names(in: String(url.prefix(2)))) ?? []
        return Self.names(of: key.urlKey) + variants.filter { $0.hasPrefix(url) }.map { "\(url.prefix(2))/\($0)" }
    }

    /// Renames a written file to its final name, and creates the folders of the name.
    func publish(_ new: inout NewFile, as name: String) throws(SystemError) {
        do throws(SystemError) { return try new.publish(as: name) } catch {
            guard error.isMissing, name.contains("/") else { throw error }
        }
        folder.makeFolders(of: name)
        try new.publish(as: name)
    }

    /// Returns whether an entry is undamaged, or `nil` if it cannot be read or has the format of another version.
    func isSound(_ name: String) -> Bool? {
        guard let file = try? folder.open(name), let facts = try? file.facts(),
            let attribute = try? Self.attribute(of: file), !attribute.isOfAnotherVersion,
            let data = try? file.read(expected: facts.byteCount)
        else { return nil }
        return Self.check(data, attribute) != nil
    }

    /// Removes a listed file unless it has been replaced since. Returns whether the listed file no longer exists.
    func removeUnchanged(_ entry: DiskTrim.Entry) -> Bool {
        guard let facts = folder.facts(of: entry.name) else { return true }
        return facts.isUnchanged(since: entry.facts) && (try? folder.remove(entry.name)) == true
    }

    /// Returns the size of a file, or `nil` if there is none.
    func size(of name: String) -> Int? { folder.facts(of: name).flatMap { $0.isFile ? $0.byteCount : nil } }

    /// Returns the sizes of all files of one URL.
    func sizes(of key: CacheKey) -> [Int] { names(ofURL: key).compactMap { size(of: $0) } }

    private func recordIfNeeded(_ name: String) -> DiskRecord? {
        settings.expiration == .creation ? record(of: name) : nil
    }

    private func record(of name: String) -> DiskRecord? {
        guard let file = try? folder.open(name), let facts = try? file.facts(),
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

    private func isExpired(_ name: String, _ facts: FileFacts, _ record: DiskRecord?) -> Bool {
        // With an age of zero, entries expire at the next trim and not on reads.
        settings.maximumAge.duration > .zero
            && DiskTrim(limits: settings, now: Date().timeIntervalSince1970)
                .isExpired(facts, created: record?.createdSeconds)
            && !isPinned(name)
    }

    private func isTouchDue(_ facts: FileFacts) -> Bool {
        abs(Date().timeIntervalSince1970 - facts.accessed) > settings.touchInterval
    }

    /// Returns the record and the payload of a file, or `nil` if they do not match.
    ///
    /// A file without a record was stored by another program and is valid. On a file system without attributes it is
    /// invalid: truncation can have removed the record there.
    static func check(_ data: Data, _ attribute: Attribute) -> (record: DiskRecord?, payload: Data)? {
        var found = DiskRecord.readTrailer(in: data)
        switch attribute {
        case .record(let bytes):
            guard let record = DiskRecord(bytes) else { return nil }
            if !record.continuesInTrailer {
                return record.matches(data) ? (record, data) : nil
            }
            if found?.pointer != record { found = nil }
        // The trailer of a file that was copied from or to a file system without attributes.
        case .missing: if found == nil { return (nil, data) }
        case .unsupported: break
        }
        guard let found else { return nil }
        let payload = data.prefix(found.length)
        return found.matches(payload) ? (found, payload) : nil
    }

    /// Reads the record of a file without its payload. Returns `nil` if no record has the right length.
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

    /// Decrypts the payload and the metadata. Returns `nil` if they are encrypted and the settings have no encryption,
    /// or the reverse.
    func decrypt(_ payload: Data, _ record: DiskRecord?, _ key: CacheKey) -> CachedFile? {
        guard let record else { return settings.encryption == nil ? CachedFile(data: payload) : nil }
        guard let metadata = metadata(in: record, key) else { return nil }
        guard let encryption = settings.encryption else { return CachedFile(data: payload, metadata: metadata) }
        return encryption.open(payload, context: Self.payloadContext(key)).map {
            CachedFile(data: $0, metadata: metadata)
        }
    }

    /// Returns the metadata of a listed entry, or `nil` if there is none or it is encrypted.
    func metadata(ofEntry name: String) -> CacheMetadata? {
        record(of: name).flatMap { $0.isEncrypted ? nil : CacheMetadata($0.details, created: nil) }
    }

    func metadata(in record: DiskRecord, _ key: CacheKey) -> CacheMetadata? {
        guard record.isEncrypted == (settings.encryption != nil) else { return nil }
        var details = record.details
        if let encryption = settings.encryption {
            guard let opened = encryption.open(Data(details), context: Self.detailsContext(key)) else { return nil }
            details = Array(opened)
        }
        return CacheMetadata(details, created: Date(timeIntervalSince1970: record.createdSeconds))
    }

    /// The authenticated contexts of the encrypted parts, so that no part can be exchanged for another.
    static func payloadContext(_ key: CacheKey) -> Data { Data(("payload " + key.text).utf8) }
    static func detailsContext(_ key: CacheKey) -> Data { Data(("details " + key.text).utf8) }
}
