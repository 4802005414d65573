/// Which scans of a picture are worth a pass over its pixels.
struct ScanProgress {
    /// Passes that are made without asking. Encoders write about ten scans.
    static let freePasses = 16
    /// Bytes that each further pass has to be paid with: scans of a few bytes each would make any number of passes.
    static let bytesPerPass = 64 << 10

    private var shownScans: Int?
    private var passCount = 0
    private var bytesAtLastPass = 0

    /// Whether to start a pass, which ends the one before. The first one begins before there is a whole scan, and shows the
    /// rows of the first one as they come; it is not started again when that is whole.
    ///
    /// - Parameters:
    ///   - scans: those that have come whole.
    ///   - bytes: those of the file that have come.
    ///   - hasEnded: whether no further scan will come.
    mutating func startsPass(scans: Int, bytes: Int, hasEnded: Bool) -> Bool {
        if let shownScans {
            guard scans > max(shownScans, 1) else { return false }
            guard passCount < Self.freePasses || bytes - bytesAtLastPass >= Self.bytesPerPass || hasEnded else {
                return false
            }
        }
        shownScans = scans
        passCount += 1
        bytesAtLastPass = bytes
        return true
    }
}
