import EaselCore

/// Pictures as characters: an upper half block has the upper pixel's colour in front and the lower one's behind.
enum HalfBlocks {
    /// Lines of text, each with a line break, as wide as the picture and half as high.
    static func encode(_ pixels: PixelBuffer) -> String {
        let rows = pixels.opaqueRows
        let nothing = [OpaqueColor?](repeating: nil, count: pixels.width)
        return stride(from: 0, to: rows.count, by: 2).map { y in
            line(upper: rows[y], lower: y + 1 < rows.count ? rows[y + 1] : nothing) + "\n"
        }.joined()
    }

    /// One line, which starts from the terminal's own colours and leaves them as they were.
    private static func line(upper: [OpaqueColor?], lower: [OpaqueColor?]) -> String {
        var text = ""
        text.reserveCapacity(upper.count * 24)
        var front: OpaqueColor?
        var back: OpaqueColor?
        for (upper, lower) in zip(upper, lower) {
            // What is drawn is always in front, so where the upper pixel is transparent the lower one is drawn.
            let nextBack = upper == nil ? nil : lower
            if let nextFront = upper ?? lower, nextFront != front {
                text += "\u{1B}[38;2;\(nextFront.red);\(nextFront.green);\(nextFront.blue)m"
                front = nextFront
            }
            if nextBack != back {
                text += nextBack.map { "\u{1B}[48;2;\($0.red);\($0.green);\($0.blue)m" } ?? "\u{1B}[49m"
                back = nextBack
            }
            text += upper != nil ? "▀" : lower != nil ? "▄" : " "
        }
        return text + "\u{1B}[0m"
    }
}
