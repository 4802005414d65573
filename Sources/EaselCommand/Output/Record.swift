import EaselCompatibility
import EaselCore
import Foundation

extension Double {
    /// The number with one decimal.
    fileprivate var shortText: String { String((self * 10).rounded() / 10) }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}

struct GetRecord: Sendable, Hashable {
    /// The input as the user wrote it.
    var input: String
    var output: String
    var size: PixelSize
    var byteCount: Int
    var source: ImageSource
    /// The durations of the load and the number of its requests.
    var timeline: LoadTimeline
    /// The duration of encoding, or `nil` for unchanged bytes.
    var encode: Duration?

    /// The timings are milliseconds, with 0 for stages that did not happen, so that a script can add them up.
    /// `firstByte` includes connecting.
    var json: JSONValue {
        func milliseconds(_ duration: Duration?) -> JSONValue { .decimal(duration?.milliseconds ?? 0) }
        return [
            "input": .string(input), "ok": true, "output": .string(output), "width": .number(size.width),
            "height": .number(size.height), "bytes": .number(byteCount), "source": .string(source.rawValue),
            "requests": .number(timeline.requests), "coalesced": .bool(timeline.isCoalesced),
            "bytesReceived": .number(timeline.bytesReceived), "bytesSaved": .number(timeline.bytesSaved),
            "timings": [
                "queued": milliseconds(timeline[.queued]), "disk": milliseconds(timeline[.disk]),
                "connect": milliseconds(timeline.connect), "firstByte": milliseconds(timeline[.firstByte]),
                "transfer": milliseconds(timeline[.transfer]), "decode": milliseconds(timeline[.decode]),
                "transform": milliseconds(timeline[.transform]), "encode": milliseconds(encode),
                "store": milliseconds(timeline[.store]), "total": milliseconds(timeline.total),
            ],
        ]
    }

    var text: String {
        "\(output.printable): \(size), \(ByteText.text(byteCount)), from \(source.rawValue)"
    }
}

struct InfoRecord: Sendable, Hashable {
    /// The input as the user wrote it.
    var input: String
    var header: ImageHeader
    var byteCount: Int
    var source: ImageSource
    /// Whether the file is truncated and only part of the image was decoded.
    var isPartial = false

    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("input", .string(input)), ("ok", true), ("format", .string(header.format.name)),
            ("width", .number(header.size.width)), ("height", .number(header.size.height)),
            ("frames", .number(header.frameCount)), ("loops", .number(header.loopCount)),
            ("durationsMS", .array(header.frameDurations.map { .decimal($0.milliseconds) })),
            ("orientation", .number(header.orientation.rawValue)), ("hasAlpha", .bool(header.hasAlpha)),
            ("bitDepth", .number(header.bitDepth)), ("profile", header.profileName.map { .string($0) } ?? .null),
            ("gainMap", header.gainMapHeadroom.map { ["headroom": .decimal($0)] } ?? .null),
            ("bytes", .number(byteCount)), ("source", .string(source.rawValue)),
        ]
        if isPartial { members.append(("partial", true)) }
        return .object(members)
    }

    var text: String {
        var parts = [header.format.name, "\(header.size)", ByteText.text(byteCount)]
        if header.frameCount > 1 {
            let loops = header.loopCount == 0 ? "forever" : header.loopCount.counted("time")
            parts.append("\(header.frameCount) frames, played \(loops)")
        }
        if header.orientation != .up { parts.append("orientation \(header.orientation.rawValue)") }
        if header.hasAlpha { parts.append("alpha") }
        if header.bitDepth != 8 { parts.append("\(header.bitDepth) bits") }
        if let profile = header.profileName { parts.append(profile) }
        if let headroom = header.gainMapHeadroom { parts.append("gain map with a headroom of \(headroom.shortText)") }
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

    mutating func add(source: ImageSource, timeline: LoadTimeline) {
        images[source, default: 0] += 1
        requests += timeline.requests
        if timeline.isCoalesced { return }
        receivedBytes += timeline.bytesReceived
        savedBytes += timeline.bytesSaved
        if timeline[.decode] != nil { decodes += 1 }
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
enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(Int)
    /// A number with up to three decimals, such as milliseconds.
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([(name: String, value: JSONValue)])

    /// Returns the line for a failed input.
    static func failure(input: String, _ error: ImageError) -> JSONValue {
        [
            "input": .string(input), "ok": false,
            "error": [
                "code": .string(error.code.rawValue), "number": .number(error.number),
                "message": .string(error.description),
            ],
        ]
    }

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
        let text = String(thousandths / 1000)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
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
                quoted += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONValue: ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral {
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { (name: $0.0, value: $0.1) })
    }
}
