import EaselCore

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
                .init(name: "bytesReceived", value: .number(timeline.bytesReceived)),
                .init(name: "bytesSaved", value: .number(timeline.bytesSaved)),
                .init(name: "timings", value: timings),
            ])
    }

    /// Milliseconds; 0 for what did not happen, so that a script can add them up. Connecting is a part of `firstByte`.
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
