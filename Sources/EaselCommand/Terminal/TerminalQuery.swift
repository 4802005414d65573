import Foundation

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
