#if Server
import NIOCore

/// The calls of one connection that wait for replies, in the order in which they were sent.
///
/// A pure value: it assigns each reply to its call, and reports the deadline of the oldest call. A server answers in
/// order, so that no other call can pass its limit first.
struct Pipeline<Waiter> {
    private struct Call {
        let waiter: Waiter
        let count: Int
        let deadline: Duration
        var replies: [RedisReply] = []
    }

    private var calls = CircularBuffer<Call>()

    /// The deadline of the oldest call; `nil` without calls.
    var nextDeadline: Duration? { calls.first?.deadline }

    /// Records that a call with a number of commands was sent.
    mutating func send(_ waiter: Waiter, count: Int, deadline: Duration) {
        calls.append(Call(waiter: waiter, count: count, deadline: deadline))
    }

    /// Assigns a reply. Returns the call and all its replies, if it is complete.
    ///
    /// - Throws: `TierError.invalidReply` for a reply without a command.
    mutating func receive(_ reply: RedisReply) throws(TierError) -> (waiter: Waiter, replies: [RedisReply])? {
        guard var call = calls.popFirst() else {
            throw TierError(.invalidReply, "The server sent a reply without a command.")
        }
        call.replies.append(reply)
        guard call.replies.count < call.count else { return (call.waiter, call.replies) }
        calls.prepend(call)
        return nil
    }

    /// Ends all calls, and returns them.
    mutating func removeAll() -> [Waiter] {
        defer { calls.removeAll() }
        return calls.map(\.waiter)
    }
}
#endif
