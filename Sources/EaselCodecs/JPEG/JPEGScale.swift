import EaselCore

/// How much of a JPEG is decoded: its blocks of 8 x 8 pixels can come out as 4 x 4, 2 x 2 or 1 x 1.
struct JPEGScale: Equatable {
    /// 1, 2, 4 or 8.
    var denominator: Int
    /// Whether the first scan of a progressive file, which holds each block's mean, is all that is read.
    var usesFirstScanOnly: Bool

    /// The smallest scale that leaves the resampler half as much again as `target`; means of blocks are sharp enough
    /// only where something is left to weigh.
    ///
    /// From an eighth on, a progressive file's first scan gives the same picture ten times as fast, and for it every
    /// size that the means suffice for is taken.
    init(from stored: PixelSize, to target: PixelSize, hasMeanScan: Bool) {
        func suffices(_ denominator: Int, _ margin: Double) -> Bool {
            Double(stored.width) >= Double(target.width * denominator) * margin
                && Double(stored.height) >= Double(target.height * denominator) * margin
        }
        usesFirstScanOnly = hasMeanScan && suffices(8, 1)
        denominator = usesFirstScanOnly ? 8 : [8, 4, 2].first { suffices($0, 1.5) } ?? 1
    }

    /// The part of the decoded pixels that the image covers, in pixels of them: it need not fill the last ones.
    ///
    /// - Parameter decoded: the size that they have. Of a lossless file it is the stored one, whatever the scale.
    func extent(of stored: PixelSize, decodedAs decoded: PixelSize) -> (width: Double, height: Double) {
        let denominator = decoded == stored ? 1 : Double(denominator)
        return (Double(stored.width) / denominator, Double(stored.height) / denominator)
    }
}
