#if JXL
import EaselCore

/// The ICC profile of a JPEG XL: what commands make of its bytes and of what most profiles hold (ISO/IEC 18181-1,
/// annex E).
struct JXLProfile {
    private var bytes: [UInt8] = []
    /// How long the profile will be.
    private let count: Int
    /// As much of it as is wanted.
    private var end = Int.max
    private var commands: ArraySlice<UInt8>
    private var source: JXLProfileBytes

    /// Longer ones, unless they tell their name before, are left to libjxl.
    private static let longest = 64 << 10

    /// A profile as far as it tells its name. `nil` for what libjxl should have a look at.
    ///
    /// - Parameter reader: where the profile begins.
    static func named(_ reader: JXLBitReader) -> [UInt8]? {
        guard var profile = JXLProfile(reader), profile.read(isWhole: false) else { return nil }
        return profile.bytes
    }

    /// The same to its end.
    static func whole(_ reader: JXLBitReader) -> [UInt8]? {
        guard var profile = JXLProfile(reader), profile.read(isWhole: true) else { return nil }
        return profile.bytes
    }

    private init?(_ reader: JXLBitReader) {
        guard var source = JXLProfileBytes(reader), let count = source.number(), let commandCount = source.number(),
            commandCount <= Self.longest, let commands = source.next(commandCount)
        else { return nil }
        self.count = count
        self.commands = commands[...]
        self.source = source
    }

    private mutating func read(isWhole: Bool) -> Bool {
        guard readHeader() else { return false }
        if bytes.count == count { return commands.isEmpty && source.left == 0 }
        guard readTags() else { return false }
        if !isWhole, let name = ICCProfileName.place(in: bytes.span) { end = name.upperBound }
        while bytes.count < end, let command = commands.popFirst() {
            guard follow(command), bytes.count <= Self.longest else { return false }
        }
        return bytes.count >= end || bytes.count == count && source.left == 0
    }

    private mutating func commandNumber() -> Int? {
        JXLProfileBytes.number { commands.popFirst() }
    }

    private mutating func append(_ number: Int) {
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    // MARK: Header

    /// The first 128 bytes, each told by how it differs from what is expected.
    private mutating func readHeader() -> Bool {
        for place in 0..<min(count, 128) {
            guard let byte = source.next() else { return false }
            bytes.append(byte &+ expectedByte(at: place))
        }
        return true
    }

    private func expectedByte(at place: Int) -> UInt8 {
        switch place {
        case 0..<4: UInt8(truncatingIfNeeded: count >> (24 - place * 8))
        // Apple, Microsoft, SGI and Sun.
        case 41..<44 where bytes[40] == UInt8(ascii: "A"): Array("PPL".utf8)[place - 41]
        case 41..<44 where bytes[40] == UInt8(ascii: "M"): Array("SFT".utf8)[place - 41]
        case 42..<44 where bytes[40...41].elementsEqual("SG".utf8): Array("I ".utf8)[place - 42]
        case 42..<44 where bytes[40...41].elementsEqual("SU".utf8): Array("NW".utf8)[place - 42]
        case 80..<84: bytes[place - 76]
        default: Self.usualHeader[place]
        }
    }

    /// That of a screen's profile for RGB, of version 4, under D50.
    private static let usualHeader: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes[8] = 4
        bytes.replaceSubrange(12..<24, with: "mntrRGB XYZ ".utf8)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        bytes.replaceSubrange(70..<80, with: [246, 214, 0, 1, 0, 0, 0, 0, 211, 45])
        return bytes
    }()

    // MARK: Tags

    /// The list of what the profile holds: what, from where, how many bytes.
    private mutating func readTags() -> Bool {
        guard let announced = commandNumber() else { return false }
        guard announced > 0 else { return true }
        append(announced - 1)
        var (start, size) = (128 + (announced - 1) * 12, 0)
        while let command = commands.popFirst(), command & 63 != 0 {
            guard bytes.count <= Self.longest, let names = tagNames(Int(command & 63)) else { return false }
            start += size
            if Self.colorTags.contains(names[0]) { size = 20 }
            if command & 64 != 0 {
                guard let number = commandNumber() else { return false }
                start = number
            }
            if command & 128 != 0 {
                guard let number = commandNumber() else { return false }
                size = number
            }
            for (index, name) in names.enumerated() {
                // Three colours follow each other, three curves are one.
                let start = names == Self.primaries ? start + index * size : start
                guard start >> 32 == 0 else { return false }
                bytes += name
                append(start)
                append(size)
            }
        }
        return true
    }

    private mutating func tagNames(_ code: Int) -> [[UInt8]]? {
        switch code {
        case 1: source.next(4).map { [$0] }
        case 2: Self.curves
        case 3: Self.primaries
        case 4..<(4 + Self.tags.count): [Self.tags[code - 4]]
        default: nil
        }
    }

    private static let primaries = names("rXYZ gXYZ bXYZ")
    private static let curves = names("rTRC gTRC bTRC")
    private static let tags = names(
        "cprt wtpt bkpt rXYZ gXYZ bXYZ kXYZ rTRC gTRC bTRC kTRC chad desc chrm dmnd dmdd lumi")
    private static let colorTags = names("rXYZ gXYZ bXYZ kXYZ wtpt bkpt lumi")
    private static let types = names("XYZ_ desc text mluc para curv sf32 gbd_")

    /// Names of four letters; `_` is a space in them.
    private static func names(_ list: String) -> [[UInt8]] {
        list.split(separator: " ").map { $0.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 } }
    }

    // MARK: Content

    private mutating func follow(_ command: UInt8) -> Bool {
        switch command {
        case 1: appendBytes()
        case 2, 3: appendBytes(wordSize: command == 2 ? 2 : 4)
        case 4: appendDifferences()
        case 10: appendType(Self.types[0]) && append(source.next(12))
        case 16..<24: appendType(Self.types[Int(command) - 16])
        default: false
        }
    }

    private mutating func append(_ content: [UInt8]?) -> Bool {
        bytes += content ?? []
        return content != nil
    }

    private mutating func appendType(_ name: [UInt8]) -> Bool { append(name + [0, 0, 0, 0]) }

    /// So many bytes, or those of them that are wanted.
    private mutating func appendBytes() -> Bool {
        guard let count = commandNumber() else { return false }
        let wanted = min(count, end - bytes.count)
        return wanted <= Self.longest && append(source.next(wanted))
    }

    private mutating func appendBytes(wordSize: Int) -> Bool { append(words(wordSize)) }

    /// Bytes of words, of which all that are first in theirs come first.
    private mutating func words(_ size: Int) -> [UInt8]? {
        guard let count = commandNumber(), count <= Self.longest, let bytes = source.next(count) else { return nil }
        let wordCount = (count + size - 1) / size
        var words: [UInt8] = []
        words.reserveCapacity(count)
        for word in 0..<wordCount {
            for place in stride(from: word, to: count, by: wordCount) { words.append(bytes[place]) }
        }
        return words
    }

    /// Words of a table, each told by how it differs from what the ones before it would go on to.
    private mutating func appendDifferences() -> Bool {
        guard let flags = commands.popFirst() else { return false }
        let (size, order) = (Int(flags & 3) + 1, flags >> 2 & 3)
        var distance = size
        if flags & 16 != 0 {
            guard let number = commandNumber(), number >= size else { return false }
            distance = number
        }
        guard size != 3, order != 3, distance <= (bytes.count - 1) >> 2, let differences = words(size) else {
            return false
        }
        for (index, difference) in differences.enumerated() {
            let byte = index & (size - 1)
            let place = bytes.count - byte
            func word(_ back: Int) -> Int {
                bytes[(place - back * distance)...].prefix(size).reduce(0) { $0 << 8 | Int($1) }
            }
            let expected =
                switch order {
                case 0: word(1)
                case 1: 2 * word(1) - word(2)
                default: 3 * word(1) - 3 * word(2) + word(3)
                }
            bytes.append(difference &+ UInt8(truncatingIfNeeded: expected >> ((size - 1 - byte) * 8)))
        }
        return true
    }
}
#endif
