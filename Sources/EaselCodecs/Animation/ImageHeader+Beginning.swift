import EaselCore

extension ImageHeader {
    /// The header of a file that is arriving, with the frames alone that have come whole; `nil` for less than two.
    func beginning(isLastFrameWhole: Bool) -> ImageHeader? {
        var header = self
        if !isLastFrameWhole, !header.frameDurations.isEmpty {
            header.frameCount -= 1
            header.frameDurations.removeLast()
        }
        return header.frameCount > 1 ? header : nil
    }
}
