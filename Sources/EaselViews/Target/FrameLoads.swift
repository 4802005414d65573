import EaselCore

/// The loads of several images that form one animation. They are shown in the order of their requests once all have
/// ended; images that fail are left out, and if all do, the animation fails as its first image did.
@MainActor
final class FrameLoads {
    private weak var owner: ImageTargetState?
    private let requests: [ImageRequest]
    private var relays: [LoadRelay] = []
    private var outcomes: [Result<DecodedImage, ImageError>?]
    private var completion: FramesCompletion?

    init(_ requests: [ImageRequest], of owner: ImageTargetState, completion: FramesCompletion?) {
        self.owner = owner
        self.requests = requests
        self.completion = completion
        outcomes = Array(repeating: nil, count: requests.count)
    }

    /// Loads all images. Shows them before this returns if all are in memory.
    func begin(_ manager: ImageManager) -> [ImageTask] {
        relays = requests.enumerated().map { index, request in
            var request = request
            if let owner, !owner.isOnScreen { request.priority = .low }
            return LoadRelay(manager.load(request), deliversProgress: owner?.outlivesTarget == true) { [weak self] in
                self?.take($0, at: index)
            }
        }
        let tasks = relays.map(\.task)
        for (index, task) in tasks.enumerated() {
            if let response = task.responseFromMemory {
                outcomes[index] = .success(response.image)
            } else {
                relays[index].begin()
            }
        }
        endIfComplete()
        return tasks
    }

    func cancel() {
        for relay in relays { relay.cancel() }
        relays = []
        guard let completion = completion.take() else { return }
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
        if case .finished(let outcome) = event { outcomes[index] = outcome.map(\.image) }
        endIfComplete()
    }

    private func endIfComplete() {
        // After a cancel there are no relays.
        guard relays.count == requests.count, !outcomes.contains(where: { $0 == nil }), let target = owner?.target
        else { return }
        relays = []
        let images = outcomes.compactMap { try? $0?.get() }
        var outcome = Result<[DecodedImage], ImageError>.success(images)
        if images.isEmpty, case .failure(let error)?? = outcomes.first { outcome = .failure(error) }
        if case .success = outcome { target.showAnimation(of: images) }
        completion.take()?(outcome)
    }
}
