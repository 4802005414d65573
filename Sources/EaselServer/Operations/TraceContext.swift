#if Server
import EaselServerTiers

/// The W3C context of a trace, which requests to sources continue.
struct TraceContext: Sendable, Hashable {
    /// The context of the work of the current task.
    @TaskLocal static var current: TraceContext?

    /// 32 hexadecimal digits.
    var traceID: String
    /// 16 hexadecimal digits: the part of the trace that this server does.
    var spanID: String
    /// Two hexadecimal digits.
    var flags: String
    /// The value of `tracestate`, unchanged.
    var state: String?

    /// Continues the trace of a request. Returns `nil` if its field is missing or invalid.
    init?(traceParent: String?, state: String?) {
        guard let traceParent, traceParent.utf8.count == 55 else { return nil }
        let parts = traceParent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00", parts.map(\.utf8.count) == [2, 32, 16, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }), parts[1].contains(where: { $0 != "0" }),
            parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        flags = String(parts[3])
        self.state = state.flatMap { $0.utf8.count <= 512 && $0.isFieldValue ? $0 : nil }
        spanID = Self.randomDigits(8)
    }

    /// The value of `traceparent` for a request to a source.
    var traceParent: String { "00-\(traceID)-\(spanID)-\(flags)" }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private static func randomDigits(_ byteCount: Int) -> String {
        hexadecimal((0..<byteCount).map { _ in UInt8.random(in: 1...255) })
    }
}
#endif
