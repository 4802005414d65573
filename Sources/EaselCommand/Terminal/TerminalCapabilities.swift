import Foundation
import EaselCore

/// The graphics protocols that a terminal supports.
struct TerminalCapabilities: Sendable, Hashable {
    /// The kitty graphics protocol.
    var kitty = false
    /// Sixel.
    var sixel = false

    /// Returns the query. Every terminal replies to its second part (primary device attributes), and in order, so that
    /// this reply also ends the wait for the first.
    ///
    /// The first part is not sent to a multiplexer, which would take it for a window title.
    static func query(environment: [String: String]) -> String {
        let attributes = "\u{1B}[c"
        let term = environment["TERM", default: ""]
        let isMultiplexed = environment["TMUX"] != nil || term.hasPrefix("tmux") || term.hasPrefix("screen")
        return isMultiplexed ? attributes : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\" + attributes
    }
}

/// Parses the reply to `TerminalCapabilities.query`, in chunks of any size.
struct CapabilityReply: Sendable {
    /// The capabilities so far.
    private(set) var capabilities = TerminalCapabilities()
    /// Whether the last part of the reply has arrived.
    private(set) var isComplete = false

    private var state = State.text
    private var content: [UInt8] = []

    private enum State { case text, escape, graphics, graphicsEscape, control }

    /// A hostile or faulty terminal may send anything. No real reply is nearly this long.
    private static let longestContent = 1024

    /// Parses the next bytes. Ignores what the user typed.
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

    /// The attributes of a reply. `?62;4;22` has 62 (the terminal's level), 4 (sixel) and 22 (colour).
    private var attributes: [Substring] {
        String(decoding: content.dropFirst(), as: UTF8.self).split(separator: ";")
    }
}

/// Queries the capabilities of the terminal. Blocks until the reply, so do not call it on Swift's cooperative threads.
struct TerminalQuery: Sendable {
    /// The descriptor of the reply.
    var input = STDIN_FILENO
    /// The stream for the query.
    var output = StandardStream.output
    /// The maximum wait for a reply. A remote terminal (ssh) needs a round trip.
    var patience = Duration.milliseconds(400)

    /// Returns the terminal's capabilities, or none if either side is not a terminal.
    func capabilities(environment: [String: String]) -> TerminalCapabilities {
        guard isatty(input) == 1, output.isTerminal else { return TerminalCapabilities() }
        let reply = RawMode.with(input) {
            output.write(TerminalCapabilities.query(environment: environment))
            return awaitReply(until: .now + patience)
        }
        return reply?.capabilities ?? TerminalCapabilities()
    }

    private func awaitReply(until end: ContinuousClock.Instant) -> CapabilityReply {
        var reply = CapabilityReply()
        var buffer = [UInt8](repeating: 0, count: 256)
        while !reply.isComplete {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left.rounded(.up))) > 0 else { break }
            let count = read(input, &buffer, buffer.count)
            guard count > 0 else { break }
            reply.consume(buffer.prefix(count))
        }
        return reply
    }
}

/// How images are drawn in a terminal.
enum GraphicsMode: String, Sendable, CaseIterable {
    /// The kitty graphics protocol: all pixels, with alpha.
    case kitty
    /// Sixel: all pixels, 256 colours.
    case sixel
    /// Half blocks in 24-bit colour, two pixels per character.
    case blocks
    /// No images, but a line of text for each.
    case none

    /// Returns the best mode that the terminal supports.
    ///
    /// `NO_COLOR` and a dumb terminal disable half blocks too, which consist only of colour.
    static func best(
        isTerminal: Bool, environment: [String: String], capabilities: @autoclosure () -> TerminalCapabilities
    ) -> GraphicsMode {
        guard isTerminal, environment["TERM"] != "dumb", environment["NO_COLOR", default: ""].isEmpty else {
            return .none
        }
        let capabilities = capabilities()
        if capabilities.kitty { return .kitty }
        return capabilities.sixel ? .sixel : .blocks
    }

    /// Returns the size of the window in pixels, less two lines for the image's name and the prompt.
    func canvas(in window: TerminalSize) -> PixelSize {
        let rows = max(1, window.rows - 2)
        return switch self {
        case .kitty, .sixel: PixelSize(window.columns * window.cell.width, rows * window.cell.height)
        case .blocks, .none: PixelSize(window.columns, rows * 2)
        }
    }

    /// Returns the text that shows `pixels`, with a line break at the end. Empty for `none`.
    func draw(_ pixels: PixelBuffer) -> String {
        switch self {
        case .kitty: KittyGraphics.encode(pixels) + "\n"
        case .sixel: Sixel.encode(pixels) + "\n"
        case .blocks: HalfBlocks.encode(pixels)
        case .none: ""
        }
    }
}
