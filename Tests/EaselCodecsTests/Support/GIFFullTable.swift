import Foundation

extension Files {
    /// Returns a gray GIF with only one clear code: the table fills up and stays unchanged, with codes of 12 bits.
    static func fullTableGIF(_ width: Int, _ height: Int, _ indices: [UInt8], minimumCodeSize: Int) -> Data {
        var file = Array("GIF89a".utf8) + bytes(width) + bytes(height) + [0xF7, 0, 0]
        for gray in 0...255 { file += [UInt8](repeating: UInt8(gray), count: 3) }
        file += [0x2C, 0, 0, 0, 0] + bytes(width) + bytes(height) + [0, UInt8(minimumCodeSize)]
        let data = pack(codes(indices, clear: 1 << minimumCodeSize), minimumCodeSize)
        for start in stride(from: 0, to: data.count, by: 255) {
            let run = data[start..<min(start + 255, data.count)]
            file += [UInt8(run.count)] + run
        }
        return Data(file + [0, 0x3B])
    }

    /// Returns the codes of the longest known strings, from a first clear code to the end code.
    private static func codes(_ indices: [UInt8], clear: Int) -> [Int] {
        var strings: [[UInt8]: Int] = [:]
        for byte in 0..<clear { strings[[UInt8(byte)]] = byte }
        var codes = [clear]
        var next = clear + 2
        var string: [UInt8] = []
        for index in indices {
            if strings[string + [index]] == nil {
                if let code = strings[string] { codes.append(code) }
                if next < 4096 { strings[string + [index]] = next }
                next += 1
                string = []
            }
            string.append(index)
        }
        if let code = strings[string] { codes.append(code) }
        return codes + [clear + 1]
    }

    /// Returns the codes, lowest bit first, with a reader's lengths. Its table grows with each code but the first.
    private static func pack(_ codes: [Int], _ minimumCodeSize: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var (word, bitCount, size) = (0, 0, minimumCodeSize + 1)
        for (count, code) in codes.enumerated() {
            // The clear code does not count.
            let next = 1 << minimumCodeSize + 2 + max(0, count - 2)
            if count > 1, next >= 1 << size, size < 12 { size += 1 }
            word |= code << bitCount
            bitCount += size
            while bitCount >= 8 {
                bytes.append(UInt8(word & 0xFF))
                word >>= 8
                bitCount -= 8
            }
        }
        return bytes + [UInt8(word)]
    }

    private static func bytes(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}
