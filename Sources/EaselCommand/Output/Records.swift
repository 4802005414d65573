import EaselCore

/// What became of one input, as one line of JSON.
enum Record {
    /// The members that begin every line.
    static func beginning(input: String, ok: Bool) -> [JSONValue.Member] {
        [.init(name: "input", value: .string(input)), .init(name: "ok", value: .bool(ok))]
    }

    /// An input that failed.
    static func failure(input: String, _ error: ImageError) -> JSONValue {
        let details: JSONValue = [
            "code": .string(error.code), "number": .number(error.number), "message": .string(error.description),
        ]
        return .object(beginning(input: input, ok: false) + [.init(name: "error", value: details)])
    }
}

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
            let loops = header.loopCount == 0 ? "for ever" : "\(header.loopCount) times"
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

/// What `get` tells of a picture that it wrote.
struct GetRecord: Sendable, Hashable {
    /// As the user wrote it.
    var input: String
    /// The path of the file that was written.
    var output: String
    /// Its pixels.
    var size: PixelSize
    /// Its length.
    var byteCount: Int
    /// Where the picture came from.
    var source: ImageSource
    /// How long the load took, and how many requests it sent.
    var timeline: LoadTimeline
    /// How long encoding took; `nil` for bytes as they came.
    var encode: Duration?

    /// One line.
    var json: JSONValue {
        .object(
            Record.beginning(input: input, ok: true) + [
                .init(name: "output", value: .string(output)),
                .init(name: "width", value: .number(size.width)),
                .init(name: "height", value: .number(size.height)),
                .init(name: "bytes", value: .number(byteCount)),
                .init(name: "source", value: .string(source.rawValue)),
                .init(name: "requests", value: .number(timeline.requests)),
                .init(name: "coalesced", value: .bool(timeline.isCoalesced)),
                .init(name: "timings", value: timings),
            ])
    }

    /// Milliseconds; 0 for what did not happen, so that a script can add them up.
    private var timings: JSONValue {
        func milliseconds(_ duration: Duration?) -> JSONValue { .decimal(duration?.milliseconds ?? 0) }
        return [
            "queued": milliseconds(timeline.queued), "disk": milliseconds(timeline.disk),
            "connect": milliseconds(timeline.connect), "firstByte": milliseconds(timeline.firstByte),
            "transfer": milliseconds(timeline.transfer), "decode": milliseconds(timeline.decode),
            "transform": milliseconds(timeline.transform), "encode": milliseconds(encode),
            "store": milliseconds(timeline.store), "total": milliseconds(timeline.total),
        ]
    }

    /// The same for a person.
    var text: String {
        "\(output.printable): \(size), \(ByteCount.text(byteCount)), from \(source.rawValue)"
    }
}

extension Duration {
    /// The whole of it.
    var milliseconds: Double { self / .milliseconds(1) }
}
