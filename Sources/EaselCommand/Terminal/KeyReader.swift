import Foundation

/// A key that the grid handles.
enum Key: Sendable, Hashable {
    case up, down, pageUp, pageDown, home, end
    /// Redraws everything.
    case redraw
    case leave
}

/// Parses terminal input for keys and the mouse wheel, in chunks of any size.
struct KeyReader: Sendable {
    private enum State { case text, escape, control, single, string, stringEscape }

    private var state = State.text
    private var content: [UInt8] = []

    /// A faulty terminal may send anything. No key is nearly this long.
    private static let longestContent = 64

    /// Whether the input is either the Escape key or the start of a longer sequence.
    var isUndecided: Bool { state == .escape }

    /// Returns the keys in the next bytes.
    mutating func consume(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { consume($0) }
    }

    /// Resolves undecided input as the Escape key, after a pause.
    mutating func settle() -> Key? {
        guard isUndecided else { return nil }
        state = .text
        return .leave
    }

    private mutating func consume(_ byte: UInt8) -> Key? {
        switch (state, byte) {
        case (.text, 0x1B): state = .escape
        case (.text, _): return Self.plain(byte)
        case (.escape, 0x1B): return .leave
        case (.escape, UInt8(ascii: "[")): begin(.control)
        case (.escape, UInt8(ascii: "O")): state = .single
        // A late reply to a query. Its letters are not keys.
        case (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "]")): state = .string
        case (.escape, _): state = .text
        case (.control, 0x40...0x7E):
            state = .text
            return control(final: byte)
        case (.control, _): if content.count < Self.longestContent { content.append(byte) }
        case (.single, _):
            state = .text
            content = []
            return control(final: byte)
        case (.string, 0x1B): state = .stringEscape
        case (.string, 0x07), (.stringEscape, UInt8(ascii: "\\")): state = .text
        case (.string, _): break
        case (.stringEscape, _): state = .string
        }
        return nil
    }

    private mutating func begin(_ next: State) {
        state = next
        content = []
    }

    private static func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): .leave
        case UInt8(ascii: "k"): .up
        case UInt8(ascii: "j"), 0x0A, 0x0D: .down
        case UInt8(ascii: "b"), 0x02: .pageUp
        case UInt8(ascii: " "), 0x06: .pageDown
        case UInt8(ascii: "g"): .home
        case UInt8(ascii: "G"): .end
        case 0x0C: .redraw
        default: nil
        }
    }

    /// Returns the key for `ESC [ numbers letter` or `ESC O letter`.
    private func control(final byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "~"): Self.numbered(firstNumber)
        case UInt8(ascii: "M") where content.first == UInt8(ascii: "<"): Self.wheel(firstNumber)
        default: nil
        }
    }

    private var firstNumber: Int? {
        Int(
            String(decoding: content.drop { $0 == UInt8(ascii: "<") }.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        )
    }

    private static func numbered(_ number: Int?) -> Key? {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// Mouse buttons from 64 are the wheel.
    private static func wheel(_ button: Int?) -> Key? {
        switch button {
        case 64: .up
        case 65: .down
        default: nil
        }
    }
}

/// Reads keys on a dedicated thread until `stop()`, because reads block.
///
/// A dispatch source would need a non-blocking descriptor, but the shell shares the terminal.
final class Keyboard: Sendable {
    /// Closed to stop the thread, which polls the other end.
    private let writing: Int32

    /// Milliseconds to wait for the rest of a sequence before an Escape is a key.
    private static let patience: Int32 = 50

    /// Starts reading.
    ///
    /// - Parameter deliver: Called with keys in typing order, and with `.leave` when the terminal is closed.
    init(_ input: Int32, deliver: @escaping @Sendable ([Key]) -> Void) {
        var ends: [Int32] = [-1, -1]
        // Without descriptors, the thread runs until the process ends.
        _ = pipe(&ends)
        let stopping = ends[0]
        writing = ends[1]
        Thread.detachNewThread {
            Self.read(input, until: stopping, deliver)
            close(stopping)
        }
    }

    /// Stops reading.
    func stop() {
        close(writing)
    }

    private static func read(_ input: Int32, until stopping: Int32, _ deliver: ([Key]) -> Void) {
        var reader = KeyReader()
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            var waiting = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, nfds_t(waiting.count), reader.isUndecided ? patience : -1)
            if ready < 0, errno == EINTR { continue }
            if waiting[1].revents != 0 { return }
            if ready == 0 {
                deliver([reader.settle()].compactMap(\.self))
                continue
            }
            let count = Foundation.read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard ready > 0, count > 0 else { return deliver([.leave]) }
            let keys = reader.consume(buffer.prefix(count))
            if !keys.isEmpty { deliver(keys) }
        }
    }
}
