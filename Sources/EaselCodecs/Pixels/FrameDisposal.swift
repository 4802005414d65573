/// What happens to a frame's part of the canvas before the next frame is drawn: GIF's and animated PNG's rules are the
/// same.
enum FrameDisposal: Hashable {
    /// It stays.
    case keep
    /// It becomes transparent.
    case clear
    /// It becomes what it was before the frame.
    case restore
}
