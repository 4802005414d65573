import EaselCore
import Foundation

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

extension Duration {
    /// The whole of it.
    var milliseconds: Double { self / .milliseconds(1) }
}

/// What `get` tells of an image that it wrote.
struct GetRecord: Sendable, Hashable {
    /// As the user wrote it.
    var input: String
    /// The path of the file that was written.
    var output: String
    /// Its pixels.
    var size: PixelSize
    /// Its length.
    var byteCount: Int
    /// Where the image came from.
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

/// What `info` tells of an image.
struct InfoRecord: Sendable, Hashable {
    /// As the user wrote it.
    var input: String
    /// What the file says of itself.
    var header: ImageHeader
    /// The file's length.
    var byteCount: Int
    /// Where it came from.
    var source: ImageSource
    /// Whether the file ends early and only a part of the image is there.
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

/// What a run has done, for `--stats`.
struct RunStatistics: Sendable, Hashable {
    private var images: [ImageSource: Int] = [:]
    private var requests = 0
    private var receivedBytes = 0
    private var savedBytes = 0
    private var decodes = 0

    /// Counts one load.
    mutating func add(source: ImageSource, timeline: LoadTimeline) {
        images[source, default: 0] += 1
        requests += timeline.requests
        if timeline.isCoalesced { return }
        receivedBytes += timeline.bytesReceived
        savedBytes += timeline.bytesSaved
        if timeline.decode != nil { decodes += 1 }
    }

    /// The line: hits by level, requests, bytes, decodes, peak memory.
    func line(peakMemory: Int) -> String {
        let hits = ImageSource.allCases.map { "\(images[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        let saved = savedBytes > 0 ? "\(savedBytes.counted("byte")) saved, " : ""
        return "stats: \(hits); \(requests.counted("request")), \(receivedBytes.counted("byte")) received, " + saved
            + "\(decodes.counted("decode")), \(peakMemory) bytes of memory at most"
    }

    /// The most memory that this process has had, in bytes.
    static var peakMemory: Int {
        var usage = rusage()
        // RUSAGE_SELF, which is 0 everywhere, but of another type on each platform.
        guard getrusage(0, &usage) == 0 else { return 0 }
        #if canImport(Darwin)
        let unit = 1
        #else
        let unit = 1024
        #endif
        return Int(usage.ru_maxrss) * unit
    }
}

/// A piece of JSON (RFC 8259) whose members keep the order in which they were written: Foundation's encoder promises none,
/// and a line that always looks the same can be compared and read.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Int)
    /// A number with up to three digits after the point, such as milliseconds.
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue
    }

    /// All in one line.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .decimal(let value): Self.text(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func text(_ value: Double) -> String {
        let thousandths = (value * 1000).rounded()
        // JSON has no infinity, and no number here is ever meant to be that large.
        guard abs(thousandths) < 1e15 else { return "null" }
        let whole = Int(thousandths)
        if whole.isMultiple(of: 1000) { return String(whole / 1000) }
        return String(Double(whole) / 1000)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // DEL and the C1 controls are legal in JSON, but a terminal obeys them.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
