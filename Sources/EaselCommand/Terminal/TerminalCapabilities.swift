import Foundation
import EaselCore

/// The graphics protocols that a terminal supports.
struct TerminalCapabilities: Sendable, Hashable {
    var kitty = false
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

/// A parser of the reply to `TerminalCapabilities.query`, in chunks of any size.
struct CapabilityReply: Sendable {
    private(set) var capabilities = TerminalCapabilities()
    /// Whether the last part of the reply has arrived.
    private(set) var isComplete = false

    private var parser = EscapeParser()

    mutating func consume(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where !isComplete {
            switch parser.consume(byte) {
            case .string(let text): if text.hasPrefix("Gi=31"), text.hasSuffix(";OK") { capabilities.kitty = true }
            case .control(let parameters, final: "c") where parameters.hasPrefix("?"):
                // `?62;4;22` has 62 (the terminal's level), 4 (sixel) and 22 (colour).
                capabilities.sixel = parameters.dropFirst().split(separator: ";").contains("4")
                isComplete = true
            default: break
            }
        }
    }
}

/// A query of the capabilities of the terminal. Blocks until the reply, so do not call it on Swift's cooperative
/// threads.
struct TerminalQuery: Sendable {
    /// The descriptor of the reply.
    var input = STDIN_FILENO
    /// The stream for the query.
    var output = StandardStream.output
    /// The maximum wait for a reply. A remote terminal (ssh) needs a round trip.
    var timeout = Duration.milliseconds(400)

    /// Returns the terminal's capabilities, or none if either side is not a terminal.
    func capabilities(environment: [String: String]) -> TerminalCapabilities {
        guard output.isTerminal, let settings = TerminalSettings(of: input) else { return TerminalCapabilities() }
        return settings.withRawMode {
            output.write(TerminalCapabilities.query(environment: environment))
            return waitForReply(until: .now + timeout).capabilities
        } ?? TerminalCapabilities()
    }

    private func waitForReply(until end: ContinuousClock.Instant) -> CapabilityReply {
        var reply = CapabilityReply()
        var buffer = [UInt8](repeating: 0, count: 256)
        while !reply.isComplete {
            let remaining = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard remaining > 0, poll(&waiting, 1, Int32(remaining.rounded(.up))) > 0 else { break }
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
        encode(pixels) + (self == .kitty || self == .sixel ? "\n" : "")
    }

    /// Returns the text that draws `pixels` at the cursor. A kitty terminal replaces the image with the same `id`.
    func encode(_ pixels: PixelBuffer, replacing id: Int? = nil) -> String {
        switch self {
        case .kitty: KittyGraphics.encode(pixels, replacing: id)
        case .sixel: Sixel.encode(pixels)
        case .blocks: HalfBlocks.encode(pixels)
        case .none: ""
        }
    }
}
