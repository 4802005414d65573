import ArgumentParser

/// The command's exit status.
enum ExitStatus {
    /// All well.
    static let success: Int32 = 0
    /// Some input failed; each is named on standard error.
    static let failure: Int32 = 1
    /// The arguments make no sense.
    static let usage: Int32 = 2
    /// Thrown where some input failed and all has been said about it.
    static var failed: ExitCode { ExitCode(failure) }

    /// The status for an error that ended a command or its parsing. ArgumentParser's own for usage would be 64.
    static func of(_ error: any Error) -> Int32 {
        let code = EaselCommand.exitCode(for: error)
        return code == .validationFailure ? usage : code.rawValue
    }
}
