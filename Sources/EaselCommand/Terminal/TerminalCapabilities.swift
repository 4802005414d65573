import Foundation
import EaselCore

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

/// Asks the terminal what it can draw. It blocks for as long as the answer takes: not for Swift's cooperative threads.
struct TerminalQuery: Sendable {
    /// Where the answer comes from.
    var input = STDIN_FILENO
    /// Where the question goes.
    var output = StandardStream.output
    /// How long a terminal without an answer holds up the command. One that is far away (ssh) needs a round trip.
    var patience = Duration.milliseconds(400)

    /// What the terminal says; nothing where either side is no terminal.
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
    /// The kitty graphics protocol: every pixel, with alpha.
    case kitty
    /// Sixel: every pixel, 256 colours.
    case sixel
    /// Two pixels a character, as half blocks in 24-bit colour.
    case blocks
    /// Not at all: a line of text an image.
    case none

    /// The best that this terminal can do.
    ///
    /// `NO_COLOR` and a dumb terminal ask for plain text; an image out of half blocks is nothing but colour.
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

    /// The pixels that fill the window, with two lines left for the image's name and the prompt.
    func canvas(in window: TerminalSize) -> PixelSize {
        let rows = max(1, window.rows - 2)
        return switch self {
        case .kitty, .sixel: PixelSize(window.columns * window.cell.width, rows * window.cell.height)
        case .blocks, .none: PixelSize(window.columns, rows * 2)
        }
    }

    /// What a terminal has to be sent to show `pixels`, with a line break at the end. Empty for `none`.
    func draw(_ pixels: PixelBuffer) -> String {
        switch self {
        case .kitty: KittyGraphics.encode(pixels) + "\n"
        case .sixel: Sixel.encode(pixels) + "\n"
        case .blocks: HalfBlocks.encode(pixels)
        case .none: ""
        }
    }
}
