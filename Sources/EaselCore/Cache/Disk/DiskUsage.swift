/// The bytes and the number of entries in a folder, as far as it is known: a scan sets them, stores and removals keep
/// them, and they are less than the truth until the first scan is over.
///
/// A pure value. Changes that happen while a scan runs may or may not be in its listing; so their names are remembered,
/// and looked at again when it ends (B54). What other processes do is found by the next scan.
struct DiskUsage {
    private(set) var bytes = 0
    private(set) var count = 0
    /// Whether a scan has counted everything.
    private(set) var isKnown = false
    /// Bytes stored since the last scan.
    private(set) var writtenSinceScan = 0
    private var changed: Set<String>?

    /// An entry was written over one of `replaced` bytes, or over none.
    mutating func stored(_ name: String, bytes added: Int, replacing replaced: Int?) {
        bytes += added - (replaced ?? 0)
        count += replaced == nil ? 1 : 0
        writtenSinceScan += added
        changed?.insert(name)
    }

    mutating func removed(_ name: String, bytes removed: Int) {
        bytes -= removed
        count -= 1
        changed?.insert(name)
    }

    /// What a scan has listed was removed by the one who scans, and will not be in its listing.
    mutating func trimmed(bytes removed: Int) {
        bytes -= removed
        count -= 1
    }

    /// Whether a scan should be made: nobody has counted yet, or so much was written since that others, in other
    /// processes, may have done the same.
    func isScanDue(limit: Int) -> Bool {
        guard changed == nil else { return false }
        return !isKnown || (limit > 0 && writtenSinceScan >= max(limit / 8, .megabytes(1)))
    }

    /// A scan begins. One at a time: who scans keeps others from it.
    mutating func beginScan() {
        changed = changed ?? []
    }

    /// A scan ends with this listing; `current` tells the bytes that a file has now. One that began in another folder
    /// says nothing.
    mutating func endScan(_ listing: [DiskTrim.Entry], current: (String) -> Int?) {
        guard let changed else { return }
        bytes = 0
        count = 0
        for entry in listing where !changed.contains(entry.name) {
            bytes += entry.facts.byteCount
            count += 1
        }
        for name in changed {
            guard let now = current(name) else { continue }
            bytes += now
            count += 1
        }
        self.changed = nil
        isKnown = true
        writtenSinceScan = 0
    }

    /// A scan ends without a listing.
    mutating func abandonScan() {
        changed = nil
    }

    /// The folder is another, or gone.
    mutating func reset() {
        self = DiskUsage()
    }
}
