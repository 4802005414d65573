import EaselCore
import Foundation

/// Results as single lines of JSON.
enum Record {
    /// Returns the members that begin every line.
    static func beginning(input: String, ok: Bool) -> [JSONValue.Member] {
        [.init(name: "input", value: .string(input)), .init(name: "ok", value: .bool(ok))]
    }

    /// Returns the line for a failed input.
    static func failure(input: String, _ error: ImageError) -> JSONValue {
        let details: JSONValue = [
            "code": .string(error.code), "number": .number(error.number), "message": .string(error.description),
        ]
        return .object(beginning(input: input, ok: false) + [.init(name: "error", value: details)])
    }
}

extension Duration {
    /// The duration in milliseconds.
    var milliseconds: Double { self / .milliseconds(1) }
}

/// The result of `get` for an image.
struct GetRecord: Sendable, Hashable {
    /// The input as the user wrote it.
    var input: String
    var output: String
    var size: PixelSize
    /// The length of the file in bytes.
    var byteCount: Int
    var source: ImageSource
    /// The durations of the load and the number of its requests.
    var timeline: LoadTimeline
    /// The duration of encoding, or `nil` for unchanged bytes.
    var encode: Duration?

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

    /// Milliseconds, with 0 for stages that did not happen, so that a script can add them up. `firstByte` includes
    /// connecting.
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

    var text: String {
        "\(output.printable): \(size), \(ByteCount.text(byteCount)), from \(source.rawValue)"
    }
}

/// The result of `info` for an image.
struct InfoRecord: Sendable, Hashable {
    /// The input as the user wrote it.
    var input: String
    var header: ImageHeader
    /// The length of the file in bytes.
    var byteCount: Int
    var source: ImageSource
    /// Whether the file is truncated and only part of the image was decoded.
    var isPartial = false

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

    var text: String {
        var parts = [header.format.name, "\(header.size)", ByteCount.text(byteCount)]
        if header.frameCount > 1 {
            let loops = header.loopCount == 0 ? "forever" : header.loopCount.counted("time")
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

/// The statistics of a run, for `--stats`.
struct RunStatistics: Sendable, Hashable {
    private var images: [ImageSource: Int] = [:]
    private var requests = 0
    private var receivedBytes = 0
    private var savedBytes = 0
    private var decodes = 0

    /// Counts a load.
    mutating func add(source: ImageSource, timeline: LoadTimeline) {
        images[source, default: 0] += 1
        requests += timeline.requests
        if timeline.isCoalesced { return }
        receivedBytes += timeline.bytesReceived
        savedBytes += timeline.bytesSaved
        if timeline.decode != nil { decodes += 1 }
    }

    /// Returns the statistics line: hits by level, requests, bytes, decodes and peak memory.
    func line(peakMemory: Int) -> String {
        let hits = ImageSource.allCases.map { "\(images[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        let saved = savedBytes > 0 ? "\(savedBytes.counted("byte")) saved, " : ""
        return "stats: \(hits); \(requests.counted("request")), \(receivedBytes.counted("byte")) received, " + saved
            + "\(decodes.counted("decode")), \(peakMemory) bytes of peak memory"
    }

    /// The peak memory of this process, in bytes.
    static var peakMemory: Int {
        var usage = rusage()
        // RUSAGE_SELF is 0 everywhere, but its type differs between platforms.
        guard getrusage(0, &usage) == 0 else { return 0 }
        #if canImport(Darwin)
        let unit = 1
        #else
        let unit = 1024
        #endif
        return Int(usage.ru_maxrss) * unit
    }
}

/// A JSON value (RFC 8259) that keeps the order of members, so that equal results give equal lines. Foundation's
/// encoder guarantees no order.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Int)
    /// A number with up to three decimals, such as milliseconds.
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue
    }

    /// The value as one line.
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
        // JSON has no infinity. No number here should be this large.
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
            // JSON allows DEL and C1 controls, but a terminal interprets them.
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
