/// The policy for when an arriving image of several scans is drawn again.
struct ScanProgress {
    /// The number of passes without a condition. Encoders write about ten scans.
    static let freePasses = 16
    /// The number of bytes that must arrive before each further pass. Otherwise, scans of a few bytes could cause any
    /// number of passes.
    static let bytesPerPass = 64 << 10

    private var shownScans = 0
    private var passCount = 0
    private var bytesAtLastPass = 0

    /// Starts a pass over the pixels if new scans justify it. Returns whether it did.
    ///
    /// - Parameters:
    ///   - scans: the number of decoded scans.
    ///   - bytes: the number of bytes of the file that have arrived.
    ///   - hasEnded: whether no further scan will be decoded.
    mutating func startPass(scans: Int, bytes: Int, hasEnded: Bool) -> Bool {
        guard scans > shownScans,
            passCount < Self.freePasses || bytes - bytesAtLastPass >= Self.bytesPerPass || hasEnded
        else { return false }
        shownScans = scans
        passCount += 1
        bytesAtLastPass = bytes
        return true
    }
}
