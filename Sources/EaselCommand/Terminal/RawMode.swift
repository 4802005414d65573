import Foundation

/// A terminal's settings, to be put back.
struct TerminalSettings: Sendable {
    private let descriptor: Int32
    private let settings: termios

    /// Those that the terminal has now; `nil` where the descriptor is no terminal.
    init?(of descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        self.settings = settings
    }

    /// Puts them back. What came too late for us is thrown away: a shell would take it for typing.
    func restore() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// The same where nothing may wait for the terminal, and only what is safe in a signal handler may be called.
    func restoreInCrash() {
        var settings = settings
        _ = tcsetattr(descriptor, TCSANOW, &settings)
        _ = tcflush(descriptor, TCIFLUSH)
    }

    /// Lets input come without echo, and without waiting for a line, until `restore()`.
    ///
    /// - Returns: whether it does.
    @discardableResult
    func makeRaw() -> Bool {
        var raw = settings
        // Signals stay on, so that ctrl-C works.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        return tcsetattr(descriptor, TCSANOW, &raw) == 0
    }
}

/// Terminal input without echo and without waiting for a line.
enum RawMode {
    /// Calls `body` in raw mode and restores the terminal, also when the process is interrupted meanwhile.
    ///
    /// - Returns: `nil`, without calling `body`, where `descriptor` is no terminal.
    static func with<Result>(_ descriptor: Int32, _ body: () -> Result) -> Result? {
        guard let settings = TerminalSettings(of: descriptor) else { return nil }
        let restoring = ExitActions.shared.add { settings.restore() }
        guard settings.makeRaw() else {
            ExitActions.shared.remove(restoring)
            return nil
        }
        defer { ExitActions.shared.run(restoring) }
        return body()
    }
}
