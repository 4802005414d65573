/// One load of a prefetch: of an image, or, for the disk, of a file only.
enum PrefetchLoad: Sendable {
    case image(ImageTask)
    case file(Task<Void, Never>, LoadContext)

    /// Starts a load. `end` is called once, also if the load is cancelled.
    static func start(
        _ request: ImageRequest, to levels: CacheLevels, _ manager: ImageManager,
        _ end: @escaping @Sendable (Result<ImageSource, ImageError>) -> Void
    ) -> PrefetchLoad {
        var request = request
        guard levels == .disk else {
            request.cache.store.formIntersection(levels)
            request.cache.storeOriginal.formIntersection(levels)
            let task = manager.load(request)
            task.observeEnd { end($0.map(\.source)) }
            return .image(task)
        }
        request.cache.store = .disk
        request.cache.storeOriginal = .disk
        request.options.insert(.waitStoreCache)
        let context = LoadContext(priority: request.priority, observation: manager.pipeline.observation)
        return .file(Task { [request] in end(await manager.prefetchFile(request, context)) }, context)
    }

    func setPriority(_ priority: LoadPriority) {
        switch self {
        case .image(let task): task.priority = priority
        case .file(_, let context): context.setPriority(priority)
        }
    }

    func cancel() {
        switch self {
        case .image(let task): task.cancel()
        case .file(let task, _): task.cancel()
        }
    }
}

extension ImageManager {
    fileprivate func prefetchFile(_ request: ImageRequest, _ context: LoadContext) async -> Result<
        ImageSource, ImageError
    > {
        do throws(ImageError) {
            let request = applyConfiguration(to: request)
            if await hasFile(of: request) { return .success(.disk) }
            return .success(try await originalData(request, context).source)
        } catch {
            return .failure(error)
        }
    }

    /// Whether the file is on disk and may be used without revalidation.
    private func hasFile(of request: ImageRequest) async -> Bool {
        guard request.http.policy == .forever,
            request.options.isDisjoint(with: [.refreshCached, .fromLoaderOnly])
        else { return false }
        return await pipeline.fileCache(of: request).contains(request.originalKey, in: .disk).contains(.disk)
    }
}
