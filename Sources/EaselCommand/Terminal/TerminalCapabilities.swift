/// What a terminal has told of its graphics.
struct TerminalCapabilities: Sendable, Hashable {
    /// The kitty graphics protocol.
    var kitty = false
    /// Sixel.
    var sixel = false

    /// The question. Every terminal answers the second part (primary device attributes), in order, so that its answer
    /// also says that there will be none to the first.
    ///
    /// A multiplexer takes the first part for a window title, so it is not sent there.
    static func query(environment: [String: String]) -> String {
        let attributes = "\u{1B}[c"
        let term = environment["TERM", default: ""]
        let isMultiplexed = environment["TMUX"] != nil || term.hasPrefix("tmux") || term.hasPrefix("screen")
        return isMultiplexed ? attributes : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + attributes
    }
}

/// Reads a terminal's answer to `TerminalCapabilities.query`, in pieces of any size.
struct CapabilityReply: Sendable {
    /// What has been understood so far.
    private(set) var capabilities = TerminalCapabilities()
    /// Whether the last part of the answer has come.
    private(set) var isComplete = false

    private var state = State.text
    private var content: [UInt8] = []

    private enum State { case text, escape, graphics, graphicsEscape, control }

    /// A hostile or confused terminal may send anything; no real answer comes near this.
    private static let longestContent = 1024

    /// Takes the next bytes. What the user typed meanwhile is passed over.
    mutating func consume(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where !isComplete { consume(byte) }
    }

    private mutating func consume(_ byte: UInt8) {
        switch (state, byte) {
        case (.text, 0x1B): state = .escape
        case (.text, _): break
        case (.escape, UInt8(ascii: "_")): begin(.graphics)
        case (.escape, UInt8(ascii: "[")): begin(.control)
        case (.escape, _): state = .text
        case (.graphics, 0x1B): state = .graphicsEscape
        case (.graphicsEscape, _):
            capabilities.kitty = capabilities.kitty || isGraphicsConsent
            state = .text
        case (.control, 0x40...0x7E):
            if byte == UInt8(ascii: "c"), content.first == UInt8(ascii: "?") {
                capabilities.sixel = attributes.contains("4")
                isComplete = true
            }
            state = .text
        case (.graphics, _), (.control, _):
            if content.count < Self.longestContent { content.append(byte) }
        }
    }

    private mutating func begin(_ next: State) {
        state = next
        content = []
    }

    private var isGraphicsConsent: Bool {
        let text = String(decoding: content, as: UTF8.self)
        return text.hasPrefix("Gi=31") && text.hasSuffix(";OK")
    }

    /// `?62;4;22` holds the attributes 62 (the terminal's level), 4 (sixel) and 22 (colour).
    private var attributes: [Substring] {
        String(decoding: content.dropFirst(), as: UTF8.self).split(separator: ";")
    }
}
