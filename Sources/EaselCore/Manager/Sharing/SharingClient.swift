/// Who waits for a piece of work, and brings what does it. Nothing is made for one that only stands in line.
protocol SharingClient<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    /// What it wants of the work now. Read under the lock of the sharing: it must not call out.
    var demand: LoadDemand { get }
    /// Who is told what the work does.
    var observation: Observation? { get }
    /// What does the work, where this client's is the one that is run.
    var operation: @Sendable (LoadContext) async throws(ImageError) -> Value { get }

    /// Hears that the work is about to ask a server. Returns whether that is still wanted.
    func mayAsk() -> Bool

    /// Hears news of the work.
    func hear(_ update: LoadUpdate)

    /// Told once how the wait has ended. `led` tells whether its own operation was run.
    func end(_ outcome: Result<Value, ImageError>, led: Bool)
}

/// A Swift task that waits, with the context of what it does.
final class SharingWait<Value: Sendable>: SharingClient {
    typealias Continuation = CheckedContinuation<(outcome: Result<Value, ImageError>, led: Bool), Never>

    let operation: @Sendable (LoadContext) async throws(ImageError) -> Value
    private let context: LoadContext
    private let continuation: Continuation
    private let listener: Int

    /// - Parameter changed: called after each change of what is wanted.
    init(
        _ context: LoadContext, _ operation: @escaping @Sendable (LoadContext) async throws(ImageError) -> Value,
        _ continuation: Continuation, changed: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.operation = operation
        self.continuation = continuation
        listener = context.listen(changed)
    }

    var demand: LoadDemand { context.demand }
    var observation: Observation? { context.observation }

    func mayAsk() -> Bool { context.mayAsk() }

    func hear(_ update: LoadUpdate) { context.report(update) }

    func end(_ outcome: Result<Value, ImageError>, led: Bool) {
        context.stopListening(listener)
        continuation.resume(returning: (outcome, led))
    }
}
