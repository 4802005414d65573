import Foundation

/// A parser that splits terminal input into single bytes and escape sequences, in chunks of any size.
struct EscapeParser: Sendable {
    enum Element: Sendable, Hashable {
        /// A byte outside of sequences.
        case byte(UInt8)
        case escape
        /// `ESC [ parameters letter` or `ESC O letter`.
        case control(parameters: String, final: Character)
        /// `ESC _`, `ESC P` or `ESC ]` with text, such as the reply to a query.
        case string(String)
    }

    private enum State { case text, escape, control, single, string, stringEscape }

    private var state = State.text
    private var content: [UInt8] = []

    /// A hostile or faulty terminal may send anything. No real sequence is nearly this long.
    private static let longestContent = 1024

    /// Whether the input is either the Escape key or the start of a longer sequence.
    var isAmbiguous: Bool { state == .escape }

    /// Treats ambiguous input as the Escape key.
    mutating func resolveEscape() { state = .text }

    mutating func consume(_ byte: UInt8) -> Element? {
        switch (state, byte) {
        case (.text, 0x1B): state = .escape
        case (.text, _): return .byte(byte)
        case (.escape, 0x1B): return .escape
        case (.escape, UInt8(ascii: "[")): begin(.control)
        case (.escape, UInt8(ascii: "O")): begin(.single)
        case (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "]")): begin(.string)
        case (.escape, _): state = .text
        case (.control, 0x40...0x7E), (.single, _):
            state = .text
            return .control(parameters: text, final: Character(Unicode.Scalar(byte)))
        case (.string, 0x1B): state = .stringEscape
        case (.string, 0x07), (.stringEscape, UInt8(ascii: "\\")):
            state = .text
            return .string(text)
        case (.stringEscape, _): state = .string
        case (.control, _), (.string, _): if content.count < Self.longestContent { content.append(byte) }
        }
        return nil
    }

    private mutating func begin(_ next: State) {
        state = next
        content = []
    }

    private var text: String { String(decoding: content, as: UTF8.self) }
}

/// A key that the grid handles.
enum Key: Sendable, Hashable {
    case up, down, pageUp, pageDown, home, end
    /// Redraws everything.
    case redraw
    case quit
}

/// A parser of terminal input for keys and the mouse wheel. Ignores late replies to queries.
struct KeyReader: Sendable {
    private var parser = EscapeParser()

    /// Whether the input is either the Escape key or the start of a longer sequence.
    var isAmbiguous: Bool { parser.isAmbiguous }

    mutating func consume(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { byte in parser.consume(byte).flatMap(Self.key) }
    }

    /// Treats ambiguous input as the Escape key, after a pause.
    mutating func resolveEscape() -> Key? {
        guard isAmbiguous else { return nil }
        parser.resolveEscape()
        return .quit
    }

    private static func key(for element: EscapeParser.Element) -> Key? {
        switch element {
        case .byte(let byte): key(for: Character(Unicode.Scalar(byte)))
        case .escape: .quit
        case .control(let parameters, let final):
            key(for: final, Int(parameters.drop { $0 == "<" }.prefix { $0 != ";" }), isMouse: parameters.hasPrefix("<"))
        case .string: nil
        }
    }

    private static func key(for character: Character) -> Key? {
        switch character {
        case "q", "Q": .quit
        case "k": .up
        case "j", "\n", "\r": .down
        case "b", "\u{02}": .pageUp
        case " ", "\u{06}": .pageDown
        case "g": .home
        case "G": .end
        case "\u{0C}": .redraw
        default: nil
        }
    }

    /// Mouse buttons from 64 are the wheel.
    private static func key(for final: Character, _ number: Int?, isMouse: Bool) -> Key? {
        switch (final, number) {
        case ("A", _): .up
        case ("B", _): .down
        case ("H", _), ("~", 1), ("~", 7): .home
        case ("F", _), ("~", 4), ("~", 8): .end
        case ("~", 5): .pageUp
        case ("~", 6): .pageDown
        case ("M", 64) where isMouse: .up
        case ("M", 65) where isMouse: .down
        default: nil
        }
    }
}

/// A reader of keys on a dedicated thread until `stop()`, because reads block.
///
/// A dispatch source would need a non-blocking descriptor, but the shell shares the terminal.
final class Keyboard: Sendable {
    /// Closed to stop the thread, which polls the other end.
    private let writeEnd: Int32

    /// Milliseconds to wait for the rest of a sequence before an Escape is a key.
    private static let timeout: Int32 = 50

    /// Starts reading.
    ///
    /// - Parameter deliver: Called with keys in typing order, and with `.quit` when the terminal is closed.
    init(_ input: Int32, deliver: @escaping @Sendable ([Key]) -> Void) {
        var ends: [Int32] = [-1, -1]
        // Without descriptors, the thread runs until the process ends.
        _ = pipe(&ends)
        let stopEnd = ends[0]
        writeEnd = ends[1]
        Thread.detachNewThread {
            Self.read(input, until: stopEnd, deliver)
            close(stopEnd)
        }
    }

    func stop() { close(writeEnd) }

    private static func read(_ input: Int32, until stopEnd: Int32, _ deliver: ([Key]) -> Void) {
        var reader = KeyReader()
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            var polled = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&polled, nfds_t(polled.count), reader.isAmbiguous ? timeout : -1)
            if ready < 0, errno == EINTR { continue }
            if polled[1].revents != 0 { return }
            if ready == 0 {
                if let key = reader.resolveEscape() { deliver([key]) }
                continue
            }
            let count = Foundation.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard ready > 0, count > 0 else { return deliver([.quit]) }
            let keys = reader.consume(buffer.prefix(count))
            if !keys.isEmpty { deliver(keys) }
        }
    }
}
