import Foundation

/// Asks the terminal what it can draw. It blocks for as long as the answer takes: not for Swift's cooperative threads.
enum TerminalQuery {
    /// What the terminal behind standard input and output says within `patience`; nothing where either is no terminal.
    ///
    /// - Parameter patience: how long a terminal without an answer holds up the command. One that is far away (ssh) needs
    ///   a round trip.
    static func run(environment: [String: String], patience: Duration = .milliseconds(400)) -> TerminalCapabilities {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return TerminalCapabilities() }
        let reply = RawMode.with(STDIN_FILENO) {
            StandardStream.output.write(TerminalCapabilities.query(environment: environment))
            return awaitReply(until: .now + patience)
        }
        return reply?.capabilities ?? TerminalCapabilities()
    }

    private static func awaitReply(until end: ContinuousClock.Instant) -> CapabilityReply {
        var reply = CapabilityReply()
        var buffer = [UInt8](repeating: 0, count: 256)
        while !reply.isComplete {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&input, 1, Int32(left.rounded(.up))) > 0 else { break }
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { break }
            reply.consume(buffer.prefix(count))
        }
        return reply
    }
}
