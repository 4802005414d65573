import EaselCore

extension DeepPixelBuffer {
    /// Writes a row as files have it: straight R, G, B and, of four channels, A; of each word the high byte first.
    ///
    /// - Parameter row: has room for two bytes a channel of all pixels.
    func copyStraightRow(_ y: Int, channels: Int, into row: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let words = start.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt16.self)
            for x in 0..<size.width {
                let pixel = words + x &* 4
                let alpha = UInt32(pixel[3])
                for channel in 0..<channels {
                    var value = UInt32(pixel[channel])
                    if channel < 3, alpha < 65_535 {
                        value = alpha == 0 ? 0 : min((value &* 65_535 &+ alpha / 2) / alpha, 65_535)
                    }
                    let place = row + (x &* channels &+ channel) &* 2
                    place[0] = UInt8(truncatingIfNeeded: value >> 8)
                    place[1] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
    }
}
