import EaselFoundation
import Synchronization

/// A file that is written under a temporary name and then renamed, so that a reader finds the complete file or none. A
/// file that is not published is removed at the end of this value's lifetime.
struct NewFile: ~Copyable {
    /// The beginning of its name while it is written. A UUID follows.
    static let prefix = ".tmp-"

    let file: OpenFile
    private(set) var byteCount = 0
    private let folder: Folder
    private var temporaryName: String?

    init(in folder: Folder) throws(SystemError) {
        self.folder = folder
        let name = Self.prefix + UUID().uuidString
        file = try folder.create(name)
        temporaryName = name
        // Until the end of this process at the latest.
        _ = file.lock(exclusively: true)
    }

    deinit {
        if let temporaryName { _ = try? folder.remove(temporaryName) }
    }

    mutating func append(_ data: Data) throws(SystemError) {
        try file.append(data)
        byteCount += data.count
    }

    mutating func publish(as name: String) throws(SystemError) {
        if let temporaryName { try folder.rename(temporaryName, to: name) }
        temporaryName = nil
    }

    /// Removes the temporary file of a writer that has ended. Does nothing for other names.
    static func removeIfLeftOver(_ name: String, in folder: Folder) {
        guard name.hasPrefix(prefix), UUID(uuidString: String(name.dropFirst(prefix.count))) != nil else { return }
        folder.removeIfUnlocked(name)
    }
}

extension DiskEntries {
    /// The payload and the record of an entry, encrypted according to the settings.
    struct Sealed {
        let payload: Data
        let record: DiskRecord

        var byteCount: Int { payload.count + record.details.count }
    }

    /// Encrypts the bytes and metadata of an entry according to the settings, and makes its record.
    ///
    /// - Throws: `ImageError.unwritable` for metadata that is too large, and the errors of the encryption.
    func seal(_ data: Data, _ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> Sealed {
        let payload = try settings.encryption?.seal(data, context: Self.payloadContext(key)) ?? data
        var record = DiskRecord(of: payload, created: Date())
        record.isEncrypted = settings.encryption != nil
        record.details = try details(metadata, for: key)
        return Sealed(payload: payload, record: record)
    }

    func write(_ sealed: Sealed) throws(SystemError) -> NewFile {
        var new = try NewFile(in: folder)
        try new.append(sealed.payload)
        if try !Self.setRecord(of: sealed, on: new.file) { try new.append(sealed.record.trailer) }
        if settings.isDurable { try new.file.synchronise() }
        return new
    }

    /// Replaces the metadata of a key's entry in one step. If the extended attribute has no room for it, returns the
    /// entry, which must then be written again unless it was replaced since. Skips an entry with another encryption.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> (DiskTrim.Entry, Sealed)? {
        let details = try details(metadata, for: key)
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name) else { continue }
                let facts = try file.facts()
                guard facts.isFile else { continue }
                let attribute = try Self.attribute(of: file)
                if case .record(let bytes) = attribute, var record = DiskRecord(bytes), !record.continuesInTrailer {
                    guard self.metadata(in: record, key) != nil else { continue }
                    record.details = details
                    do throws(SystemError) {
                        try file.setAttribute(Self.attributeName, record.bytes)
                        file.setModifiedNow()
                        return nil
                    } catch {
                        if !error.isTooLarge { throw error }
                    }
                }
                let data = try file.read(expected: facts.byteCount)
                guard let (old, body) = Self.check(data, attribute), decrypt(body, old, key) != nil else { continue }
                var record = old ?? DiskRecord(of: body, created: Date())
                record.details = details
                return (DiskTrim.Entry(name: name, facts: facts), Sealed(payload: body, record: record))
            } catch {
                throw unwritable(name, error)
            }
        }
        return nil
    }

    func unwritable(_ name: String, _ error: SystemError) -> ImageError {
        .unwritable(path: path(name), error)
    }

    private func details(_ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> [UInt8] {
        var details = metadata.bytes
        if let encryption = settings.encryption {
            details = Array(try encryption.seal(Data(details), context: Self.detailsContext(key)))
        }
        guard details.count <= DiskRecord.longestDetails else {
            throw .unwritable(
                path: path(key.fileName), reason: "its metadata has more than \(DiskRecord.longestDetails) bytes")
        }
        return details
    }

    /// Writes the record to the attribute, or a reference to the trailer if that is not possible. Returns `false` if a
    /// trailer is needed.
    private static func setRecord(of sealed: Sealed, on file: borrowing OpenFile) throws(SystemError) -> Bool {
        do throws(SystemError) {
            // If the payload ends like a trailer, a real trailer must follow, as a copy may lose the attribute.
            if !DiskRecord.isTrailer(atEndOf: sealed.payload) {
                try file.setAttribute(attributeName, sealed.record.bytes)
                return true
            }
            try file.setAttribute(attributeName, sealed.record.pointer.bytes)
        } catch {
            guard error.isUnsupported || error.isTooLarge else { throw error }
            if error.isTooLarge { try file.setAttribute(attributeName, sealed.record.pointer.bytes) }
        }
        return false
    }
}

/// Writes and removals of entries, which keep the counter exact.
extension DiskCache {
    struct WriteAttempt: Sendable {
        enum Result {
            case written
            /// The disk is full.
            case full
            /// Fewer bytes than `minimumFreeBytes` would be left.
            case tooLittleFree
            /// The folder was removed.
            case gone
            /// `expected` was replaced or removed.
            case outdated
        }

        let entries: DiskEntries
        let sealed: DiskEntries.Sealed
        let name: String
        /// The file to replace, or `nil` for any.
        let expected: FileFacts?
        /// The time when the store began, in seconds since 1970, minus 0.1: the times of files have the resolution of
        /// the kernel's tick.
        let started = Date().timeIntervalSince1970 - 0.1
        var result = Result.written
    }

    /// Writes an entry. Creates the folder again if it is removed meanwhile. Blocks.
    func write(_ data: Data, _ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> WriteAttempt {
        var failure = SystemError.missing
        for _ in 0..<20 {
            let entries: DiskEntries
            do throws(SystemError) { entries = try open(creating: true) } catch {
                failure = error
                // The folder may have been removed between its creation and its opening.
                if error.isMissing { continue } else { break }
            }
            let attempt = try write(entries.seal(data, metadata, for: key), as: key.fileName, in: entries)
            if attempt.result != .gone { return attempt }
        }
        throw .unwritable(path: folder, failure)
    }

    /// Writes an entry under `name`, and replaces an existing one; with `expected` only this one. Blocks.
    func write(
        _ sealed: DiskEntries.Sealed, as name: String, in entries: DiskEntries, replacing expected: FileFacts? = nil
    ) throws(ImageError) -> WriteAttempt {
        var attempt = WriteAttempt(entries: entries, sealed: sealed, name: name, expected: expected)
        if configuration.minimumFreeBytes.bytes > 0, let free = entries.folder.freeBytes,
            free < bytesToFree(for: sealed)
        {
            attempt.result = .tooLittleFree
            return attempt
        }
        do throws(SystemError) {
            var new = try entries.write(sealed)
            attempt.result = try publish(&new, as: name, in: entries, replacing: expected) ? .written : .outdated
            if configuration.isDurable { entries.folder.synchronise(name) }
        } catch {
            // The file system may refuse the extension. Reads try both names.
            if !error.isFull, expected == nil, let bare = DiskEntries.nameWithoutOddExtension(name) {
                return try write(sealed, as: bare, in: entries)
            }
            guard error.isFull || error.isMissing else { throw entries.unwritable(name, error) }
            attempt.result = error.isFull ? .full : .gone
        }
        return attempt
    }

    /// Trims if the written entry exceeds a limit. If the entry was not written, makes room and tries once more.
    func finish(_ attempt: WriteAttempt) async throws(ImageError) {
        if attempt.result != .written {
            let (entries, sealed, name) = (attempt.entries, attempt.sealed, attempt.name)
            let goal = attempt.result == .full ? TrimGoal.room(sealed.byteCount) : .free(bytesToFree(for: sealed))
            await upkeep.run { self.trim(entries, to: goal) }
            let second = try await WorkerPool.writes.run { () throws(ImageError) in
                try write(sealed, as: name, in: entries, replacing: attempt.expected)
            }
            switch second.result {
            // The trim may have removed the entry.
            case .written, .outdated: break
            case .full: throw entries.unwritable(name, .noSpace)
            case .gone: throw entries.unwritable(name, .missing)
            case .tooLittleFree:
                throw .unwritable(
                    path: entries.path(name),
                    reason: "it would leave less than \(configuration.minimumFreeBytes.bytes) bytes free for others")
            }
        }
        await keepLimits(attempt.entries, started: attempt.started)
    }

    func remove(_ name: String, from entries: DiskEntries) throws(ImageError) {
        do throws(SystemError) {
            try changes.withLock { _ throws(SystemError) in
                guard let facts = entries.folder.facts(of: name), try entries.folder.remove(name) else { return }
                guard facts.isFile else { return }
                let isPinned = entries.isPinned(name)
                counter.withLock { $0.countRemoval(name, bytes: facts.byteCount, isPinned: isPinned) }
            }
        } catch {
            throw entries.unwritable(name, error)
        }
    }

    /// Gives a file its name. Returns `false` if another file than `expected` has it.
    private func publish(
        _ new: inout NewFile, as name: String, in entries: DiskEntries, replacing expected: FileFacts?
    ) throws(SystemError) -> Bool {
        try changes.withLock { _ throws(SystemError) in
            let present = entries.folder.facts(of: name)
            if let expected, present?.isUnchanged(since: expected) != true { return false }
            try entries.publish(&new, as: name)
            let (bytes, isPinned) = (new.byteCount, entries.isPinned(name))
            let before = present.flatMap { $0.isFile ? $0.byteCount : nil }
            counter.withLock { $0.countStore(name, bytes: bytes, replacing: before, isPinned: isPinned) }
            return true
        }
    }

    private func bytesToFree(for sealed: DiskEntries.Sealed) -> Int {
        let (bytes, isTooMuch) = configuration.minimumFreeBytes.bytes.addingReportingOverflow(sealed.payload.count)
        return isTooMuch ? .max : bytes
    }
}
