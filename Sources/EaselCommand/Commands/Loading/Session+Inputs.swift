import EaselCore

/// What became of an input.
struct Delivery<Value: Sendable>: Sendable {
    /// As the user wrote it.
    var input: String
    /// Its place, from 1.
    var index: Int
    /// What the work for it brought.
    var value: Value
    /// Whether an equal input before it has done the work.
    var isRepeated: Bool
}

extension Session {
    /// How many inputs are worked on at a time. The downloader bounds what each host is asked for; this bounds what waits
    /// in memory for its turn.
    private static let window = 32

    /// Does `work` for each input, several at a time and for equal inputs once, and calls `deliver` in the order of the
    /// inputs. What fails is reported, and does not stop the others.
    ///
    /// - Parameter failed: called in place of `deliver` for an input that failed, before that is reported.
    /// - Throws: `CancellationError`; the exit status of a run in which something failed.
    func run<Value: Sendable>(
        _ inputs: [String], work: @escaping @Sendable (ImageInput) async throws(ImageError) -> Value,
        deliver: (Delivery<Value>) async throws(ImageError) -> Void,
        failed: (_ input: String, _ index: Int, ImageError) -> Void = { _, _, _ in }
    ) async throws {
        var order = InputOrder<Result<Value, ImageError>>(inputs, window: Self.window)
        await withTaskGroup(of: (Int, Result<Value, ImageError>).self) { group in
            while let step = order.nextDelivery(), !Task.isCancelled {
                switch step {
                case .deliver(let input, let index, let result, let isRepeated):
                    if case .failure(let error) = result { failed(input, index, error) }
                    await deliverOne(input, index, result, isRepeated, deliver)
                case .wait:
                    while let (number, input) = order.nextStart() {
                        group.addTask { (number, await Self.outcome(of: input, work)) }
                    }
                    guard let (number, result) = await group.next() else { break }
                    order.finish(number, result)
                }
            }
            group.cancelAll()
        }
        console.clearProgress()
        try Task.checkCancellation()
        await manager.finishRefreshes()
        try finish()
    }

    private static func outcome<Value>(
        of input: String, _ work: @Sendable (ImageInput) async throws(ImageError) -> Value
    ) async -> Result<Value, ImageError> {
        do throws(ImageError) {
            return .success(try await work(try ImageInput(input)))
        } catch {
            return .failure(error)
        }
    }

    private func deliverOne<Value>(
        _ input: String, _ index: Int, _ result: Result<Value, ImageError>, _ isRepeated: Bool,
        _ deliver: (Delivery<Value>) async throws(ImageError) -> Void
    ) async {
        flushWarnings()
        do throws(ImageError) {
            let value = try result.get()
            try await deliver(Delivery(input: input, index: index, value: value, isRepeated: isRepeated))
        } catch {
            fail(input, error)
        }
    }
}

extension Delivery {
    /// The times of a load, as this input has had them: an equal one before it has sent the requests.
    func timeline(_ timeline: LoadTimeline) -> LoadTimeline {
        guard isRepeated else { return timeline }
        var shared = timeline
        shared.requests = 0
        shared.isCoalesced = true
        return shared
    }
}

extension Session {
    /// Counts a delivery for `--stats`.
    func count<Value>(_ delivery: Delivery<Value>, source: ImageSource, timeline: LoadTimeline) {
        statistics.add(source: source, timeline: delivery.timeline(timeline))
    }
}
