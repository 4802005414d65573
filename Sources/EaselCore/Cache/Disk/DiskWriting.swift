import EaselFoundation
import Synchronization

/// A file that is written under a temporary name and then renamed, so that a reader finds all of it or nothing. A file that is not
/// published is removed with this value.
struct NewFile: ~Copyable {
    let file: OpenFile
    private(set) var byteCount = 0
    private let folder: Folder
    private var temporaryName: String?

    init(in folder: Folder) throws(SystemError) {
        self.folder = folder
        while true {
            let name = TemporaryName.next()
            do throws(SystemError) {
                file = try folder.create(name)
                temporaryName = name
                return
            } catch {
                // A process with the same number has left it, as containers have the same numbers.
                guard error.isTaken else { throw error }
            }
        }
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
}

/// `.tmp-PID-N`: the name of a file while it is written, which names the process that writes it.
enum TemporaryName {
    private static let prefix = ".tmp-"
    /// The names that this process has used.
    static let count = Atomic<Int>(0)
    /// A file of this age in seconds is left over even if a process with its number lives.
    static let longestLife = 86_400.0

    static func next() -> String {
        "\(prefix)\(processNumber)-\(count.add(1, ordering: .relaxed).newValue)"
    }

    /// Returns the number of the process that wrote a file of this name; `nil` for any other name.
    static func owner(of name: String) -> Int32? {
        guard name.hasPrefix(prefix) else { return nil }
        let numbers = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, UInt(numbers[1]) != nil, let owner = Int32(numbers[0]), owner > 0 else { return nil }
        return owner
    }

    static func isLeftOver(owner: Int32, modified: Double, now: Double) -> Bool {
        let mayBeInUse = owner == processNumber || isProcessAlive(owner)
        return !mayBeInUse || now - modified >= longestLife
    }

    /// Removes a file that a writer left when it died. Does nothing for other names.
    static func removeIfLeftOver(_ name: String, in folder: Folder, now: Double) {
        guard let owner = owner(of: name), let facts = folder.facts(of: name), facts.isFile,
            isLeftOver(owner: owner, modified: facts.modified, now: now)
        else { return }
        _ = try? folder.remove(name)
    }
}

extension DiskEntries {
    /// The payload of an entry, encrypted if the settings say so, with its record.
    struct Sealed {
        let payload: Data
        let record: DiskRecord

        var byteCount: Int { payload.count + record.details.count }
    }

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

    /// Replaces the metadata of a key's entry in one step. If there is no room for it beside the bytes, returns the entry to be written
    /// again.
    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> (name: String, sealed: Sealed)?
    {
        let details = try details(metadata, for: key)
        for name in Self.names(of: key) {
            do throws(SystemError) {
                guard let file = try folder.open(name), try file.facts().isFile else { continue }
                let attribute = try Self.attribute(of: file)
                if case .record(let bytes) = attribute, var record = DiskRecord(bytes), !record.continuesInTrailer {
                    record.details = details
                    do throws(SystemError) {
                        try file.setAttribute(Self.attributeName, record.bytes)
                        file.setModifiedNow()
                        return nil
                    } catch {
                        if !error.isTooLarge { throw error }
                    }
                }
                let data = try file.read(expected: file.facts().byteCount)
                guard let (before, payload) = Self.check(data, attribute) else { continue }
                var record = before ?? DiskRecord(of: payload, created: Date())
                record.details = details
                return (name, Sealed(payload: payload, record: record))
            } catch {
                throw unwritable(name, error)
            }
        }
        return nil
    }

    func unwritable(_ name: String, _ error: SystemError) -> ImageError {
        .unwritable(path: path(name), reason: error.reason)
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

    /// Writes the record into the attribute, or a pointer to the trailer. Returns whether no trailer is needed.
    private static func setRecord(of sealed: Sealed, on file: borrowing OpenFile) throws(SystemError) -> Bool {
        do throws(SystemError) {
            // A payload that ends like a trailer would be cut off in a copy without the attribute.
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

/// How entries are published and removed, so that the counter stays exact.
extension DiskCache {
    struct WriteAttempt: Sendable {
        enum Result {
            case written
            case full
            /// Less would be free than `minimumFreeBytes`.
            case tooLittleFree
            case gone
        }

        let entries: DiskEntries
        let sealed: DiskEntries.Sealed
        let name: String
        /// Seconds since 1970. The times of files are those of the last tick of the system's clock.
        let started = Date().timeIntervalSince1970 - 0.1
        var result = Result.written
    }

    /// Writes an entry into the folder, and into a new one if the folder is removed meanwhile. Blocks.
    func write(_ data: Data, _ metadata: CacheMetadata, for key: CacheKey) throws(ImageError) -> WriteAttempt {
        var failure = SystemError.missing
        for _ in 0..<20 {
            let entries: DiskEntries
            do throws(SystemError) { entries = try open(creating: true) } catch {
                failure = error
                // It may have been removed between its creation and its opening.
                if error.isMissing { continue } else { break }
            }
            let attempt = try write(entries.seal(data, metadata, for: key), as: key.fileName, in: entries)
            if attempt.result != .gone { return attempt }
        }
        throw .unwritable(path: folder, reason: failure.reason)
    }

    /// Writes an entry under `name`, and replaces the one that has it. Blocks.
    func write(
        _ sealed: DiskEntries.Sealed, as name: String, in entries: DiskEntries
    ) throws(ImageError) -> WriteAttempt {
        var attempt = WriteAttempt(entries: entries, sealed: sealed, name: name)
        if configuration.minimumFreeBytes.bytes > 0, let free = entries.folder.freeBytes,
            free < bytesToFree(for: sealed)
        {
            attempt.result = .tooLittleFree
            return attempt
        }
        do throws(SystemError) {
            var new = try entries.write(sealed)
            try publish(&new, as: name, in: entries)
        } catch {
            // Reads look for the name without extension too.
            if !error.isFull, let bare = DiskEntries.nameWithoutOddExtension(name) {
                return try write(sealed, as: bare, in: entries)
            }
            guard error.isFull || error.isMissing else { throw entries.unwritable(name, error) }
            attempt.result = error.isFull ? .full : .gone
        }
        return attempt
    }

    /// Keeps the limits after an entry was written. Makes room for an entry that was not, and tries once more.
    func finish(_ attempt: WriteAttempt) async throws(ImageError) {
        if attempt.result != .written {
            let (entries, sealed, name) = (attempt.entries, attempt.sealed, attempt.name)
            let goal = attempt.result == .full ? TrimGoal.room(sealed.byteCount) : .free(bytesToFree(for: sealed))
            await upkeep.run { self.trim(entries, to: goal) }
            let second = try await WorkerPool.writes.run { () throws(ImageError) in
                try write(sealed, as: name, in: entries)
            }
            switch second.result {
            case .written: break
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
            try counter.withLock { counter throws(SystemError) in
                guard let facts = entries.folder.facts(of: name), try entries.folder.remove(name) else { return }
                if facts.isFile { counter.countRemoval(name, bytes: facts.byteCount) }
            }
        } catch {
            throw entries.unwritable(name, error)
        }
    }

    private func publish(
        _ new: inout NewFile, as name: String, in entries: DiskEntries
    ) throws(SystemError) {
        try counter.withLock { counter throws(SystemError) in
            let before = entries.folder.facts(of: name)
            try new.publish(as: name)
            counter.countStore(name, bytes: new.byteCount, replacing: before?.isFile == true ? before?.byteCount : nil)
        }
    }

    private func bytesToFree(for sealed: DiskEntries.Sealed) -> Int {
        let (bytes, isTooMuch) = configuration.minimumFreeBytes.bytes.addingReportingOverflow(sealed.payload.count)
        return isTooMuch ? .max : bytes
    }
}
