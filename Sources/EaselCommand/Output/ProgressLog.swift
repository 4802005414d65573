/// Progress for a file or a pipe: whole lines, few of them. It takes events and the time, and says what to write.
struct ProgressLog: Sendable {
    private struct Transfer: Sendable {
        var name: String
        var received = 0
        var lastLine: ContinuousClock.Instant
    }

    private var transfers: [Int: Transfer] = [:]

    /// A load that takes long tells of itself this often.
    private static let interval = Duration.seconds(1)

    /// The line for this event, if it deserves one: what is slow now and then, and what was received at its end.
    mutating func line(for event: ProgressEvent, at time: ContinuousClock.Instant) -> String? {
        switch event {
        case .started(let id, let name):
            transfers[id] = Transfer(name: name.printable, lastLine: time)
            return nil
        case .advanced(let id, let received, let expected):
            guard var transfer = transfers[id] else { return nil }
            defer { transfers[id] = transfer }
            transfer.received = received
            guard time - transfer.lastLine >= Self.interval else { return nil }
            transfer.lastLine = time
            let total = expected.map { " of \(ByteCount.text($0))" } ?? ""
            return "\(transfer.name): \(ByteCount.text(received))\(total)"
        case .finished(let id):
            guard let transfer = transfers.removeValue(forKey: id), transfer.received > 0 else { return nil }
            return "\(transfer.name): \(ByteCount.text(transfer.received)) received"
        case .failed(let id):
            transfers[id] = nil
            return nil
        }
    }
}
