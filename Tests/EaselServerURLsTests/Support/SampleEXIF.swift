#if Server
/// EXIF blocks for tests.
enum SampleEXIF {
    /// Returns a little-endian block with a maker, an artist, a copyright and an exposure time of 1/250 s.
    static func block(artist: String, copyright: String) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func long(_ value: Int) -> [UInt8] { short(value) + short(value >> 16) }
        var content: [UInt8] = []
        let directoryLength = 2 + 4 * 12 + 4
        func text(_ tag: Int, _ text: String) -> [UInt8] {
            let bytes = Array(text.utf8) + [0]
            defer { if bytes.count > 4 { content += bytes } }
            return short(tag) + short(2) + long(bytes.count)
                + (bytes.count > 4
                    ? long(8 + directoryLength + content.count)
                    : bytes + [UInt8](repeating: 0, count: 4 - bytes.count))
        }
        let entries = text(0x010F, "Easel") + text(0x013B, artist) + text(0x8298, copyright)
        let exif = 8 + directoryLength + content.count
        let pointer = short(0x8769) + short(4) + long(1) + long(exif)
        let nested = short(1) + short(0x829A) + short(5) + long(1) + long(exif + 18) + long(0) + long(1) + long(250)
        return Array("II".utf8) + short(42) + long(8) + short(4) + entries + pointer + long(0) + content + nested
    }
}
#endif
