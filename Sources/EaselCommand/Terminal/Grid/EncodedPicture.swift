import EaselCore

/// A picture as the terminal is sent it, wherever its place is.
struct EncodedPicture: Sendable {
    /// Pixels across and down.
    let size: PixelSize
    /// Lines of half blocks; none for the other modes.
    let lines: [String]
    /// The escape code that draws it at the cursor; empty for half blocks.
    let graphic: String

    /// Draws `pixels`, for which this thread may need a while.
    ///
    /// - Parameter number: kitty terminals replace the picture with the same number, from 1.
    init(_ pixels: PixelBuffer, _ mode: GraphicsMode, number: Int?) {
        size = pixels.size
        switch mode {
        case .kitty: (lines, graphic) = ([], KittyGraphics.encode(pixels, replacing: number))
        case .sixel: (lines, graphic) = ([], Sixel.encode(pixels))
        case .blocks: (lines, graphic) = (HalfBlocks.encode(pixels).split(separator: "\n").map(String.init), "")
        case .none: (lines, graphic) = ([], "")
        }
    }
}
