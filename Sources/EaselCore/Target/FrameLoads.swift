/// The loads of several pictures that are one animation (S017, S041).
@MainActor
final class FrameLoads {
    private weak var owner: ImageTargetState?
    private var sequence: FrameSequence<DecodedImage>
    private var relays: [LoadRelay] = []
    private let requests: [ImageRequest]
    private var completion: FramesCompletion?

    init(_ requests: [ImageRequest], of owner: ImageTargetState, completion: FramesCompletion?) {
        self.owner = owner
        self.requests = requests
        self.completion = completion
        sequence = FrameSequence(count: requests.count)
    }

    /// Loads them all, and shows them before this returns where all are in memory.
    func begin(_ manager: ImageManager) -> [ImageTask] {
        relays = requests.enumerated().map { index, request in
            var request = request
            if let owner, !owner.isOnScreen { request.priority = .low }
            return LoadRelay(manager.load(request), bringsProgress: owner?.outlivesTarget == true) { [weak self] in
                self?.take($0, at: index)
            }
        }
        let tasks = relays.map(\.task)
        for (index, relay) in relays.enumerated() {
            if let response = relay.task.responseFromMemory {
                sequence.take(.success(response.image), at: index)
            } else {
                relay.begin()
            }
        }
        endIfComplete()
        return tasks
    }

    func cancel() {
        for relay in relays { relay.cancel() }
        relays = []
        guard let completion else { return }
        self.completion = nil
        Task { @MainActor [weak owner] in
            if owner?.target != nil { completion(.failure(.cancelled)) }
        }
    }

    func priorityDidChange(isOnScreen: Bool) {
        for (relay, request) in zip(relays, requests) { relay.task.priority = isOnScreen ? request.priority : .low }
    }

    private func take(_ event: LoadEvent, at index: Int) {
        guard owner?.target != nil else {
            owner?.abandon()
            return
        }
        if case .finished(let outcome) = event { sequence.take(outcome.map(\.image), at: index) }
        endIfComplete()
    }

    private func endIfComplete() {
        // Cancelled ones are none of this target's any more.
        guard relays.count == requests.count, let outcome = sequence.outcome, let target = owner?.target else { return }
        relays = []
        if case .success(let images) = outcome { target.showAnimation(of: images) }
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }
}

/// Hears which pictures an animation has got, on the main actor: once, unless the target is gone.
public typealias FramesCompletion = @MainActor (Result<[DecodedImage], ImageError>) -> Void
