/// What one disk cache knows between calls: its open folder and the bytes in it.
///
/// The size is a counter: a scan sets it at the first store, stores and removals keep it, and each trim's scan heals
/// what other processes did to it.
struct DiskStore {
    let path: String
    let configuration: DiskCache.Configuration
    private var entries: DiskEntries?
    private var bytes: Int?

    init(path: String, configuration: DiskCache.Configuration) {
        self.path = path
        self.configuration = configuration
    }

    /// The folder, opened once. One that was removed or moved away is noticed by writers, and opened anew.
    ///
    /// - Throws: `ImageError.unreadable` where there is none and it shall not be made; `.unwritable` where it cannot be.
    mutating func open(creating: Bool) throws(ImageError) -> DiskEntries {
        if let entries, !creating || entries.folder.isInPlace { return entries }
        do throws(SystemError) {
            let opened = DiskEntries(folder: try Folder(path: path, creating: creating))
            entries = opened
            // Of another folder than the one that was counted, if one was.
            bytes = nil
            return opened
        } catch {
            throw creating
                ? .unwritable(path: path, reason: error.reason) : .unreadable(path: path, reason: error.reason)
        }
    }

    /// What a store needs, so that the write itself happens outside the lock.
    mutating func beginWrite() throws(ImageError) -> DiskEntries {
        let entries = try open(creating: true)
        if bytes == nil {
            entries.removeTemporaries()
            bytes = entries.statistics().bytes
        }
        return entries
    }

    /// Returns whether there is now more than the limit allows.
    mutating func didWrite(bytes added: Int, replacing removed: Int) -> Bool {
        let total = max(0, (bytes ?? 0) + added - removed)
        bytes = total
        return configuration.maximumBytes > 0 && total > configuration.maximumBytes
    }

    mutating func didRemove(bytes removed: Int) {
        if let bytes { self.bytes = max(0, bytes - removed) }
    }

    mutating func didScan(bytes: Int) {
        self.bytes = bytes
    }
}
