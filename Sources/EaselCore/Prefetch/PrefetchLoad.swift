import Synchronization

/// One load of a prefetch: of an image, or of a file alone. It ends exactly once, also if it is cancelled.
///
/// Methods are called in order, `start` first.
final class PrefetchLoad: Sendable {
    private enum Work {
        case image(ImageTask)
        case file(Task<Void, Never>, LoadContext)
    }

    private let request: ImageRequest
    private let loadsFile: Bool
    private let work = Mutex<Work?>(nil)

    init(_ request: ImageRequest, _ levels: CacheLevels, _ priority: LoadPriority) {
        var request = request.prefetching(to: levels)
        request.priority = priority
        self.request = request
        loadsFile = levels == .disk
    }

    func start(_ manager: ImageManager, _ end: @escaping @Sendable (Result<ImageSource, ImageError>) -> Void) {
        if loadsFile {
            let context = LoadContext(priority: request.priority, observation: manager.pipeline.observation) { _ in }
            let task = Task { [request] in end(await Self.loadFile(request, context, manager)) }
            work.withLock { $0 = .file(task, context) }
        } else {
            let task = manager.load(request)
            work.withLock { $0 = .image(task) }
            task.observeEnd { end($0.map(\.source)) }
        }
    }

    func setPriority(_ priority: LoadPriority) {
        switch work.withLock({ $0 }) {
        case .image(let task): task.priority = priority
        case .file(_, let context): context.setPriority(priority)
        case nil: break
        }
    }

    func cancel() {
        switch work.withLock({ $0 }) {
        case .image(let task): task.cancel()
        case .file(let task, _): task.cancel()
        case nil: break
        }
    }

    private static func loadFile(
        _ request: ImageRequest, _ context: LoadContext, _ manager: ImageManager
    ) async -> Result<ImageSource, ImageError> {
        do throws(ImageError) {
            let request = manager.applyConfiguration(to: request)
            if await manager.hasFile(of: request) { return .success(.disk) }
            return .success(try await manager.originalData(request, context).source)
        } catch {
            return .failure(error)
        }
    }
}

extension ImageManager {
    /// Whether the file is on disk and may be used without revalidation.
    fileprivate func hasFile(of request: ImageRequest) async -> Bool {
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
            request.options.insert(.waitStoreCache)
        } else {
            request.cache.store.formIntersection(levels)
            request.cache.storeOriginal.formIntersection(levels)
        }
        return request
    }
}
