import EaselCore

import EaselFoundation

/// Pictures in the kitty graphics protocol, as straight RGBA inside the escape codes, so that it works over ssh too.
enum KittyGraphics {
    /// The most base64 characters that one escape code may carry.
    static let longestChunk = 4096

    /// Takes all pictures off the screen, and gives their memory back.
    static let deletion = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

    /// Escape codes that show the picture at the cursor, pixel for pixel.
    ///
    /// The terminal is told to keep quiet about it (`q=2`): nobody would read its answer.
    ///
    /// - Parameter id: a number; the picture takes the place of the last one with it, and the cursor stays where it is.
    static func encode(_ pixels: PixelBuffer, replacing id: Int? = nil) -> String {
        let place = id.map { ",i=\($0),p=1,C=1" } ?? ""
        let bytes = straight(pixels)
        let chunk = longestChunk / 4 * 3
        var text = ""
        text.reserveCapacity(bytes.count / 3 * 4 + bytes.count / chunk * 16 + 64)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            let end = min(start + chunk, bytes.count)
            let more = end < bytes.count ? 1 : 0
            let keys = start == 0 ? "a=T,f=32,s=\(pixels.width),v=\(pixels.height),q=2\(place),m=\(more)" : "m=\(more)"
            text += "\u{1B}_G\(keys);\(bytes[start..<end].base64EncodedString())\u{1B}\\"
        }
        return text
    }

    private static func straight(_ pixels: PixelBuffer) -> Data {
        var bytes = Data(capacity: pixels.width * pixels.height * 4)
        pixels.forEachRow { _, row in
            for pixel in row {
                bytes.append(straight(pixel.red, pixel.alpha))
                bytes.append(straight(pixel.green, pixel.alpha))
                bytes.append(straight(pixel.blue, pixel.alpha))
                bytes.append(pixel.alpha)
            }
        }
        return bytes
    }

    private static func straight(_ component: UInt8, _ alpha: UInt8) -> UInt8 {
        if alpha == 255 || alpha == 0 { return component }
        return UInt8(min(255, (Int(component) * 255 + Int(alpha) / 2) / Int(alpha)))
    }
}
