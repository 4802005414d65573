import Synchronization

/// One load of a prefetch: of a picture, or of a file alone. Its end is told exactly once, a cancelled one's too.
final class PrefetchLoad: Sendable {
    private enum Work {
        case picture(ImageTask)
        case file(Task<Void, Never>, LoadContext)
    }

    private struct State {
        var priority: LoadPriority
        var isCancelled = false
        var work: Work?
    }

    private let request: ImageRequest
    private let wantsFile: Bool
    private let state: Mutex<State>

    init(_ request: ImageRequest, _ levels: CacheLevels, _ priority: LoadPriority) {
        self.request = request.prefetching(to: levels)
        wantsFile = levels == .disk
        state = Mutex(State(priority: priority))
    }

    func start(_ manager: ImageManager, _ end: @escaping @Sendable (Result<ImageSource, ImageError>) -> Void) {
        let (priority, isCancelled) = state.withLock { ($0.priority, $0.isCancelled) }
        guard !isCancelled else { return end(.failure(.cancelled)) }
        var request = request
        request.priority = priority
        if wantsFile {
            let context = LoadContext(priority: priority, observation: manager.pipeline.observation) { _ in }
            let task = Task { [request] in end(await Self.file(request, context, manager)) }
            connect(.file(task, context))
        } else {
            let task = manager.load(request)
            connect(.picture(task))
            task.observeEnd { end($0.map(\.source)) }
        }
    }

    /// What was wanted of it meanwhile reaches the work.
    private func connect(_ work: Work) {
        let (priority, isCancelled) = state.withLock { state in
            state.work = work
            return (state.priority, state.isCancelled)
        }
        setPriority(priority)
        if isCancelled { cancel() }
    }

    func setPriority(_ priority: LoadPriority) {
        let work = state.withLock { state in
            state.priority = priority
            return state.work
        }
        switch work {
        case .picture(let task): task.priority = priority
        case .file(_, let context): context.setPriority(priority)
        case nil: break
        }
    }

    func cancel() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        switch work {
        case .picture(let task): task.cancel()
        case .file(let task, _): task.cancel()
        case nil: break
        }
    }

    private static func file(
        _ request: ImageRequest, _ context: LoadContext, _ manager: ImageManager
    ) async -> Result<ImageSource, ImageError> {
        do throws(ImageError) {
            let request = manager.processed(request)
            if await manager.keepsFile(of: request) { return .success(.disk) }
            return .success(try await manager.originalData(request, context).source)
        } catch {
            return .failure(error)
        }
    }
}

extension ImageManager {
    /// Whether the file is on disk and may be used without asking anybody, nor reading it.
    fileprivate func keepsFile(of request: ImageRequest) async -> Bool {
        guard request.http.policy == .forever,
            request.options.isDisjoint(with: [.refreshCached, .fromLoaderOnly])
        else { return false }
        return await pipeline.fileCache(of: request).contains(request.originalKey, in: .disk).contains(.disk)
    }
}

extension ImageRequest {
    fileprivate func prefetching(to levels: CacheLevels) -> ImageRequest {
        var request = self
        request.options.subtract([.lowPriority, .highPriority])
        if levels == .disk {
            request.cache.store = .disk
            request.cache.storeOriginal = .disk
            // Finished is what is there.
            request.options.insert(.waitStoreCache)
        } else {
            request.cache.store.formIntersection(levels)
            request.cache.storeOriginal.formIntersection(levels)
        }
        return request
    }
}
