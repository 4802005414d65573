import EaselFoundation

/// What a connection does for one request, step by step: a pure value, so that every fault is tested without a socket.
struct ResponsePlan: Equatable {
    enum Step: Equatable {
        case wait(Duration)
        case hold(Gate)
        case write(Data)
        /// Does nothing until the client closes the connection.
        case stall
        case close
        case reset
    }

    /// In order; without a `close`, `reset` or `stall` at the end, the connection waits for its next request.
    let steps: [Step]

    /// - Parameter keepsAlive: whether the client wants to use the connection again.
    init(_ answer: Answer, faults: [OriginFault] = [], keepsAlive: Bool = true) {
        var draft = ResponseDraft(answer, keepsAlive: keepsAlive)
        for fault in faults { draft.apply(fault) }
        steps = draft.steps
    }
}
