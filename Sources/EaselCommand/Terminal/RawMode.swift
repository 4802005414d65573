import Foundation

/// Terminal input without echo and without waiting for a line, for as long as `body` of `with` runs.
enum RawMode {
    /// Calls `body` in raw mode and restores the terminal, also when the process is interrupted meanwhile.
    ///
    /// - Returns: `nil`, without calling `body`, where `descriptor` is no terminal.
    static func with<Result>(_ descriptor: Int32, _ body: () -> Result) -> Result? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        let original = settings
        // Signals stay on, so that ctrl-C works while the terminal is being asked.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        let restoring = ExitActions.shared.add { restore(original, to: descriptor) }
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            ExitActions.shared.remove(restoring)
            return nil
        }
        defer {
            restore(original, to: descriptor)
            ExitActions.shared.remove(restoring)
        }
        return body()
    }

    private static func restore(_ settings: termios, to descriptor: Int32) {
        var settings = settings
        // What came too late for us is thrown away with it: a shell would take it for typing.
        _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
    }
}
