import EaselCore

/// The header of a portable bitmap, graymap or pixmap, in text or binary form, or of an arbitrary map.
struct PNMHeader {
    enum Encoding {
        /// ASCII numbers.
        case text
        /// ASCII digits 0 and 1, without separators.
        case textBits
        /// Eight pixels a byte. Rows are padded to whole bytes.
        case bits
        /// Samples of one byte, or two big-endian bytes.
        case bytes
    }

    let size: PixelSize
    let encoding: Encoding
    /// The samples of a pixel: gray, gray and alpha, RGB, RGBA.
    let channels: Int
    /// The sample of full intensity, 1 to 65,535.
    let maximum: Int
    /// The offset of the samples.
    let samples: Int

    var hasAlpha: Bool { channels == 2 || channels == 4 }

    /// The byte count of a row; a minimum for text.
    var bytesPerRow: Int {
        switch encoding {
        case .bits: (size.width + 7) / 8
        case .text, .textBits: size.width * channels
        case .bytes: size.width * channels * (maximum > 255 ? 2 : 1)
        }
    }

    /// - Throws: `ImageError.badData` if the data is not an anymap, or is truncated in its header.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.hasText("P", at: 0), let digit = file.byte(at: 1), (0x31...0x37).contains(digit) else {
            throw .badData("Not a PNM file.")
        }
        var reader = PNMReader(position: 2)
        self = try digit == 0x37 ? PNMHeader(arbitrary: file, &reader) : PNMHeader(file, kind: digit - 0x30, &reader)
    }

    /// - Parameter kind: the digit of the signature: 1, 2 and 3 are text, 1 and 4 bits, 3 and 6 colors.
    private init(_ file: Span<UInt8>, kind: UInt8, _ reader: inout PNMReader) throws(ImageError) {
        guard let width = reader.number(in: file), let height = reader.number(in: file),
            let maximum = kind % 3 == 1 ? 1 : reader.number(in: file), (1...65_535).contains(maximum),
            let space = file.byte(at: reader.position), PNMReader.isSpace(space)
        else { throw .badData("The PNM header is damaged or truncated.") }
        size = PixelSize(width, height)
        self.maximum = maximum
        channels = kind % 3 == 0 ? 3 : 1
        encoding = [.textBits, .text, .text, .bits, .bytes, .bytes][Int(kind) - 1]
        samples = reader.position + 1
    }

    /// Reads the lines of an arbitrary map, each with a name and a number. Ignores the tuple type.
    private init(arbitrary file: Span<UInt8>, _ reader: inout PNMReader) throws(ImageError) {
        var values: [String: Int] = [:]
        while let word = reader.word(in: file), word != "ENDHDR" {
            if word == "TUPLTYPE" {
                reader.skipLine(in: file)
            } else {
                values[word] = reader.number(in: file)
            }
        }
        guard let width = values["WIDTH"], let height = values["HEIGHT"], let depth = values["DEPTH"],
            let maximum = values["MAXVAL"], (1...4).contains(depth), (1...65_535).contains(maximum),
            file.byte(at: reader.position) == UInt8(ascii: "\n")
        else { throw .badData("The PAM header is damaged, truncated, or has more than four channels.") }
        size = PixelSize(width, height)
        self.maximum = maximum
        channels = depth
        encoding = .bytes
        samples = reader.position + 1
    }
}

/// A reader of words and numbers of a header or of text samples. Never reads past the end.
struct PNMReader {
    var position: Int

    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    /// Returns the next number after white space and comments; `nil` if there is none, or if it is too large. It ends
    /// at the first character that is not a digit.
    mutating func number(in file: Span<UInt8>) -> Int? {
        skipSpace(in: file)
        var value: Int?
        while let byte = file.byte(at: position), (48...57).contains(byte) {
            let number = (value ?? 0) * 10 + Int(byte - 48)
            guard number <= Int(Int32.max) else { return nil }
            value = number
            position += 1
        }
        return value
    }

    /// Returns the next digit, 0 or 1.
    mutating func bit(in file: Span<UInt8>) -> Int? {
        skipSpace(in: file)
        guard let byte = file.byte(at: position), byte == 48 || byte == 49 else { return nil }
        position += 1
        return Int(byte - 48)
    }

    /// Returns the next word of at most 16 characters.
    mutating func word(in file: Span<UInt8>) -> String? {
        skipSpace(in: file)
        var characters: [UInt8] = []
        while let byte = file.byte(at: position), !Self.isSpace(byte) {
            guard characters.count < 16 else { return nil }
            characters.append(byte)
            position += 1
        }
        return characters.isEmpty ? nil : String(decoding: characters, as: UTF8.self)
    }

    mutating func skipLine(in file: Span<UInt8>) {
        while let byte = file.byte(at: position), byte != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipSpace(in file: Span<UInt8>) {
        while let byte = file.byte(at: position) {
            if byte == UInt8(ascii: "#") {
                skipLine(in: file)
            } else if Self.isSpace(byte) {
                position += 1
            } else {
                return
            }
        }
    }
}
