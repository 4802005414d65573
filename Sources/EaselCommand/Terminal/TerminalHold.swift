import Foundation

/// A change to the terminal that is taken back on every way out: by `end()`, when the process ends by a signal, and when it
/// crashes.
@MainActor
final class TerminalHold {
    /// What is written to standard output.
    struct Texts: Sendable {
        /// What begins the change.
        var opening: String
        /// What takes it back.
        var closing: String
        /// What takes it back from wherever the output broke off.
        var rescue: String
    }

    private let closing: ExitActions.Token

    /// Begins the change.
    ///
    /// - Parameter rawInput: a terminal that meanwhile gives each key as it is typed, unseen.
    init(_ texts: Texts, rawInput: Int32? = nil) {
        let settings = rawInput.flatMap { TerminalSettings(of: $0) }
        closing = ExitActions.shared.add {
            StandardStream.output.write(texts.closing)
            settings?.restore()
        }
        CrashRestoration.arm(texts.rescue, settings)
        settings?.makeRaw()
        StandardStream.output.write(texts.opening)
    }

    /// Takes it back, once.
    func end() {
        ExitActions.shared.run(closing)
        CrashRestoration.disarm()
    }
}
