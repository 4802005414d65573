import EaselCore

/// What `info` tells of a picture.
struct InfoRecord: Sendable, Hashable {
    /// As the user wrote it.
    var input: String
    /// What the file says of itself.
    var header: ImageHeader
    /// The file's length.
    var byteCount: Int
    /// Where it came from.
    var source: ImageSource
    /// Whether the file ends early and only a part of the picture is there.
    var isPartial = false

    /// One line.
    var json: JSONValue {
        .object(Record.beginning(input: input, ok: true) + members + partial)
    }

    private var partial: [JSONValue.Member] { isPartial ? [.init(name: "partial", value: true)] : [] }

    private var members: [JSONValue.Member] {
        [
            .init(name: "format", value: .string(header.format.name)),
            .init(name: "width", value: .number(header.size.width)),
            .init(name: "height", value: .number(header.size.height)),
            .init(name: "frames", value: .number(header.frameCount)),
            .init(name: "loops", value: .number(header.loopCount)),
            .init(name: "durationsMS", value: .array(header.frameDurations.map { .decimal($0.milliseconds) })),
            .init(name: "orientation", value: .number(header.orientation.rawValue)),
            .init(name: "hasAlpha", value: .bool(header.hasAlpha)),
            .init(name: "bitDepth", value: .number(header.bitDepth)),
            .init(name: "profile", value: header.profileName.map { .string($0) } ?? .null),
            .init(name: "bytes", value: .number(byteCount)),
            .init(name: "source", value: .string(source.rawValue)),
        ]
    }

    /// The same for a person.
    var text: String {
        var parts = [header.format.name, "\(header.size)", ByteCount.text(byteCount)]
        if header.frameCount > 1 {
            let loops = header.loopCount == 0 ? "for ever" : header.loopCount.counted("time")
            parts.append("\(header.frameCount) frames, played \(loops)")
        }
        if header.orientation != .up { parts.append("orientation \(header.orientation.rawValue)") }
        if header.hasAlpha { parts.append("alpha") }
        if header.bitDepth != 8 { parts.append("\(header.bitDepth) bits") }
        if let profile = header.profileName { parts.append(profile) }
        if isPartial { parts.append("partial") }
        return "\(input.printable): " + parts.map(\.printable).joined(separator: ", ")
    }
}
