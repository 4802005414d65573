#if AVIF || HEIF
import Foundation

/// An AVIF or HEIC built from items, with structures that no encoder writes (ISO/IEC 23008-12, ISO/IEC 23000-22).
struct AVIFItems {
    struct Item {
        var kind: String
        var data: [UInt8]
        var properties: [[UInt8]]
        var isHidden = true
    }

    /// The items, numbered from 1. The first is the primary one.
    var items: [Item]
    /// The references by kind, source and targets.
    var references: [(kind: String, from: Int, to: [Int])]
    var majorBrand = "avif"
    var brands = ["avif", "mif1", "miaf"]
    /// The content of the `grpl` box.
    var groups: [UInt8] = []

    static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        number(8 + content.count, 4) + Array(kind.utf8) + content
    }

    /// Returns a box with a version and flags.
    static func fullBox(_ kind: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
        box(kind, number(version << 24 | flags, 4) + content)
    }

    static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", number(width, 4) + number(height, 4)) }

    static let alpha = fullBox("auxC", Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))

    /// Returns a grid of tiles in one row.
    static func grid(_ columns: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [0, 0, 0, UInt8(columns - 1)] + number(width, 2) + number(height, 2)
    }

    var file: Data {
        let type = Self.box("ftyp", Array(majorBrand.utf8) + [0, 0, 0, 0] + brands.flatMap { Array($0.utf8) })
        // Offsets depend on the length of the boxes before them.
        let start = type.count + meta(dataAt: 0).count + 8
        return Data(type + meta(dataAt: start) + Self.box("mdat", items.flatMap(\.data)))
    }

    private func meta(dataAt start: Int) -> [UInt8] {
        var (properties, associations): ([[UInt8]], [UInt8]) = ([], [])
        for (index, item) in items.enumerated() {
            associations += Self.number(index + 1, 2) + [UInt8(item.properties.count)]
            for property in item.properties {
                properties.append(property)
                associations.append(UInt8(properties.count))
            }
        }
        var offset = start
        var locations: [UInt8] = []
        for (index, item) in items.enumerated() {
            locations +=
                Self.number(index + 1, 2) + [0, 0, 0, 1] + Self.number(offset, 4) + Self.number(item.data.count, 4)
            offset += item.data.count
        }
        let entries = items.enumerated().flatMap { index, item in
            Self.fullBox(
                "infe", version: 2, flags: item.isHidden && index > 0 ? 1 : 0,
                Self.number(index + 1, 2) + [0, 0] + Array(item.kind.utf8) + [0])
        }
        let links = references.flatMap { reference in
            Self.box(
                reference.kind,
                Self.number(reference.from, 2) + Self.number(reference.to.count, 2)
                    + reference.to.flatMap { Self.number($0, 2) })
        }
        let count = Self.number(items.count, 2)
        return Self.fullBox(
            "meta",
            Self.fullBox("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 13))
                + Self.fullBox("pitm", [0, 1])
                + Self.fullBox("iloc", [0x44, 0] + count + locations)
                + Self.fullBox("iinf", count + entries)
                + (references.isEmpty ? [] : Self.fullBox("iref", links))
                + Self.box(
                    "iprp",
                    Self.box("ipco", properties.flatMap { $0 })
                        + Self.fullBox("ipma", Self.number(items.count, 4) + associations))
                + (groups.isEmpty ? [] : Self.box("grpl", groups)))
    }
}
#endif
