import EaselFoundation

/// The frames of an arriving file that have come whole.
struct ArrivingFrames {
    /// Who reads them; `nil` for a format without any.
    var coder: (any AnimationDecoding)?
    private var frameCount = 1
    private var nextLook = 0

    /// An animation of what has come, where that is more than the last one.
    ///
    /// Each has a copy of the file up to there, and whoever plays it begins anew with a decoder. A quarter more of the file is
    /// waited for between two, so that all of them together cost a few times the whole.
    mutating func animation(of file: ArrivingFile, _ options: DecodeOptions) -> Animation? {
        guard let coder, file.count >= nextLook else { return nil }
        let data = file.bytes(from: 0)
        nextLook = data.count + data.count / 4
        guard let header = coder.header(ofBeginning: data), header.frameCount > frameCount,
            (try? options.limits.check(header)) != nil
        else { return nil }
        frameCount = header.frameCount
        return Animation(data: data, header: header, coder: coder, options: options, isArriving: true)
    }
}
