import EaselFoundation
import Synchronization

/// How entries get and lose their names, so that the counter follows exactly.
extension DiskCache {
    /// An entry that was written, or found no room.
    struct WriteAttempt: Sendable {
        enum Result {
            case written
            /// The disk is full.
            case full
            /// Less would be free than shall stay free.
            case tooLittleFree
            /// The folder was removed, or what was written in it.
            case gone
        }

        let entries: DiskEntries
        let sealed: DiskEntries.Sealed
        let name: String
        /// Seconds since 1970; files' times are those of the last tick of the system's clock.
        var started = Date().timeIntervalSince1970 - 0.1
        var result = Result.written
    }

    /// Writes an entry into the folder, and again into the next where that was removed meanwhile. Blocks.
    func write(
        _ data: Data, _ metadata: CacheMetadata, for key: CacheKey
    ) throws(ImageError) -> WriteAttempt {
        for _ in 0..<Self.patience {
            let entries = try made()
            let attempt = try write(entries.seal(data, metadata, for: key), as: key.fileName, in: entries)
            if attempt.result != .gone { return attempt }
        }
        throw .unwritable(path: folder, reason: SystemError.missing.reason)
    }

    /// Writes an entry under `name`, in place of the one that has it. Blocks.
    func write(
        _ sealed: DiskEntries.Sealed, as name: String, in entries: DiskEntries
    ) throws(ImageError) -> WriteAttempt {
        var attempt = WriteAttempt(entries: entries, sealed: sealed, name: name)
        if leavesTooLittleFree(sealed, in: entries) {
            attempt.result = .tooLittleFree
            return attempt
        }
        let namesLater = entries.folder.namesLater
        do throws(SystemError) {
            try publish(entries.write(sealed), as: name, in: entries)
        } catch {
            // What was written could not be named afterwards. With a name from the start it can.
            if namesLater, !entries.folder.namesLater { return try write(sealed, as: name, in: entries) }
            // The name without extension is looked for too.
            if !error.isFull, let bare = DiskEntries.nameWithoutOddExtension(name) {
                return try write(sealed, as: bare, in: entries)
            }
            guard error.isFull || error.isMissing else { throw entries.unwritable(name, error) }
            attempt.result = error.isFull ? .full : .gone
        }
        return attempt
    }

    /// Keeps the limits after an entry was written; makes room for one that found none, and tries once more.
    func finish(_ attempt: WriteAttempt) async throws(ImageError) {
        if attempt.result != .written {
            let sealed = attempt.sealed
            let goal = attempt.result == .full ? TrimGoal.room(sealed.byteCount) : .free(bytesToFree(for: sealed))
            await upkeep.run { self.trim(attempt.entries, to: goal) }
            let second = try await WorkerPool.writes.run { () throws(ImageError) in
                try write(attempt.sealed, as: attempt.name, in: attempt.entries)
            }
            switch second.result {
            case .written: break
            case .full: throw attempt.entries.unwritable(attempt.name, .noSpace)
            case .gone: throw attempt.entries.unwritable(attempt.name, .missing)
            case .tooLittleFree:
                throw .unwritable(
                    path: attempt.entries.folder.path + "/" + attempt.name,
                    reason: "it would leave less than \(configuration.minimumFreeBytes) bytes free for others")
            }
        }
        await keepLimits(attempt.entries, started: attempt.started)
    }

    /// Removes a file, if it is there. Blocks.
    func remove(_ name: String, from entries: DiskEntries) throws(ImageError) {
        do throws(SystemError) {
            try counter.withLock { counter throws(SystemError) in
                guard let facts = entries.folder.facts(of: name), try entries.folder.remove(name) else { return }
                if facts.isFile { counter.removed(name, bytes: facts.byteCount) }
            }
        } catch {
            throw entries.unwritable(name, error)
        }
    }

    private func publish(
        _ written: consuming DiskEntries.Written, as name: String, in entries: DiskEntries
    ) throws(SystemError) {
        try counter.withLock { counter throws(SystemError) in
            // Most names are new, and then nobody has to be asked what was there.
            if try written.file.take(new: name) {
                return counter.stored(name, bytes: written.byteCount, replacing: nil)
            }
            let before = entries.folder.facts(of: name)
            try written.file.take(name)
            counter.stored(
                name, bytes: written.byteCount, replacing: before?.isFile == true ? before?.byteCount : nil)
        }
    }

    private func leavesTooLittleFree(_ sealed: DiskEntries.Sealed, in entries: DiskEntries) -> Bool {
        guard configuration.minimumFreeBytes > 0, let free = entries.folder.freeBytes else { return false }
        return free < bytesToFree(for: sealed)
    }

    private func bytesToFree(for sealed: DiskEntries.Sealed) -> Int {
        let (bytes, isTooMuch) = configuration.minimumFreeBytes.addingReportingOverflow(sealed.payload.count)
        return isTooMuch ? .max : bytes
    }
}
