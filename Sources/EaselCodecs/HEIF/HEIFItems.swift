#if HEIF
import EaselCore

/// What the boxes of a HEIF file say of its pictures (ISO/IEC 23008-12, ISO/IEC 14496-12).
struct HEIFItems {
    struct Item {
        var kind: HEIFKind
        /// Numbers of properties, counted from 1, in their order.
        var properties: [Int] = []
    }

    struct Property {
        var kind: HEIFKind
        var content: Range<Int>
    }

    /// By their numbers.
    private(set) var items: [Int: Item] = [:]
    private(set) var properties: [Property] = []
    /// Which picture is made of which, and which is another one's alpha or thumbnail: kind, from, to.
    private(set) var references: [(kind: HEIFKind, from: Int, to: [Int])] = []
    private(set) var primary = 0

    init?(_ file: Span<UInt8>, in meta: Range<Int>) {
        guard let pitm = file.firstBox("pitm", in: meta), let iinf = file.firstBox("iinf", in: meta),
            let iprp = file.firstBox("iprp", in: meta), let ipco = file.firstBox("ipco", in: iprp)
        else { return nil }
        var reader = HEIFBoxReader(pitm)
        guard let version = reader.version(of: file), let primary = reader.number(version == 0 ? 2 : 4, of: file) else {
            return nil
        }
        self.primary = primary
        readItems(file, iinf)
        file.forEachBox(in: ipco) { kind, content in
            properties.append(Property(kind: HEIFKind(rawValue: kind), content: content))
        }
        var isSound = true
        file.forEachBox("ipma", in: iprp) { box in isSound = isSound && readProperties(file, box) }
        if let iref = file.firstBox("iref", in: meta) { isSound = isSound && readReferences(file, iref) }
        guard isSound else { return nil }
    }

    /// One by its number, counted from 1.
    func property(_ number: Int) -> Property? {
        number >= 1 && number <= properties.count ? properties[number - 1] : nil
    }

    /// A picture of HEVC, or of one in tiles the first of them: they are alike.
    func coded(_ number: Int) -> Item? {
        guard var item = items[number] else { return nil }
        if item.kind == .grid {
            let tiles = references.filter { $0.kind == .dimg && $0.from == number }
            guard tiles.count == 1, let tile = tiles[0].to.first.flatMap({ items[$0] }) else { return nil }
            item = tile
        }
        return item.kind == .hvc1 ? item : nil
    }

    private mutating func readItems(_ file: Span<UInt8>, _ box: Range<Int>) {
        var reader = HEIFBoxReader(box)
        guard let version = reader.version(of: file), reader.number(version == 0 ? 2 : 4, of: file) != nil else {
            return
        }
        file.forEachBox("infe", in: reader.rest) { entry in
            var reader = HEIFBoxReader(entry)
            guard let version = reader.version(of: file), let number = reader.number(version == 2 ? 2 : 4, of: file),
                reader.number(2, of: file) != nil, let kind = reader.number(4, of: file), version >= 2
            else { return }
            items[number] = Item(kind: HEIFKind(rawValue: kind))
        }
    }

    private mutating func readProperties(_ file: Span<UInt8>, _ box: Range<Int>) -> Bool {
        var reader = HEIFBoxReader(box)
        guard let start = reader.number(4, of: file), let count = reader.number(4, of: file) else { return false }
        let isLong = start & 1 == 1
        for _ in 0..<count {
            guard let item = reader.number(start >> 24 == 0 ? 2 : 4, of: file), let length = reader.number(1, of: file)
            else {
                return false
            }
            for _ in 0..<length {
                // The highest bit says that it must be understood.
                guard let number = reader.number(isLong ? 2 : 1, of: file) else { return false }
                items[item]?.properties.append(number & (isLong ? 0x7FFF : 0x7F))
            }
        }
        return true
    }

    private mutating func readReferences(_ file: Span<UInt8>, _ box: Range<Int>) -> Bool {
        var reader = HEIFBoxReader(box)
        guard let version = reader.version(of: file) else { return false }
        let size = version == 0 ? 2 : 4
        var isSound = true
        file.forEachBox(in: reader.rest) { kind, content in
            var reader = HEIFBoxReader(content)
            guard let from = reader.number(size, of: file), let count = reader.number(2, of: file) else {
                return isSound = false
            }
            var numbers: [Int] = []
            for _ in 0..<count {
                guard let number = reader.number(size, of: file) else { return isSound = false }
                numbers.append(number)
            }
            references.append((HEIFKind(rawValue: kind), from, numbers))
        }
        return isSound
    }
}

/// Numbers of a box, one after the other.
struct HEIFBoxReader {
    private(set) var rest: Range<Int>

    init(_ box: Range<Int>) { rest = box }

    /// The highest byte of the first four; the others are flags.
    mutating func version(of file: Span<UInt8>) -> Int? { number(4, of: file).map { $0 >> 24 } }

    /// So many bytes, the highest one first.
    mutating func number(_ count: Int, of file: Span<UInt8>) -> Int? {
        guard count <= rest.count else { return nil }
        var value = 0
        for place in rest.prefix(count) { value = value << 8 | Int(file[place]) }
        rest = (rest.lowerBound + count)..<rest.upperBound
        return value
    }
}

/// The four letters of a kind of item, of property or of reference, the first one highest.
struct HEIFKind: RawRepresentable, Hashable {
    var rawValue: Int

    static let hvc1 = HEIFKind(rawValue: 0x6876_6331)
    static let grid = HEIFKind(rawValue: 0x6772_6964)
    static let dimg = HEIFKind(rawValue: 0x6469_6D67)
    static let auxl = HEIFKind(rawValue: 0x6175_786C)
    static let auxC = HEIFKind(rawValue: 0x6175_7843)
    static let ispe = HEIFKind(rawValue: 0x6973_7065)
    static let irot = HEIFKind(rawValue: 0x6972_6F74)
    static let imir = HEIFKind(rawValue: 0x696D_6972)
    static let colr = HEIFKind(rawValue: 0x636F_6C72)
    static let clap = HEIFKind(rawValue: 0x636C_6170)
    static let hvcC = HEIFKind(rawValue: 0x6876_6343)
    static let pixi = HEIFKind(rawValue: 0x7069_7869)
    static let pasp = HEIFKind(rawValue: 0x7061_7370)
}
#endif
