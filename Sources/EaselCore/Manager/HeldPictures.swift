import Synchronization

/// Pictures on the way to others: what the transforms of several running loads begin with is made once, also where one
/// load has it before another comes to ask.
///
/// A picture is held while at least two loads that need it were under way when it was made, until the last of them ends.
final class HeldPictures: Sendable {
    private struct State {
        var loads: [ImageRequest: Int] = [:]
        var pictures: [ImageRequest: Pipeline.Picture] = [:]
    }

    private let state = Mutex(State())

    /// Pictures that are held now.
    var count: Int { state.withLock { $0.pictures.count } }

    /// A load begins that comes by these.
    func begin(_ prefixes: [ImageRequest]) {
        state.withLock { state in
            for prefix in prefixes { state.loads[prefix, default: 0] += 1 }
        }
    }

    /// It has ended.
    func end(_ prefixes: [ImageRequest]) {
        let released = state.withLock { state in
            prefixes.map { prefix -> Pipeline.Picture? in
                let left = (state.loads[prefix] ?? 0) - 1
                state.loads[prefix] = left > 0 ? left : nil
                return left > 0 ? nil : state.pictures.removeValue(forKey: prefix)
            }
        }
        // Memory is given back outside of the lock.
        withExtendedLifetime(released) {}
    }

    /// A picture has been made.
    func offer(_ picture: Pipeline.Picture, for key: ImageRequest) {
        state.withLock { state in
            if state.loads[key] ?? 0 > 1 { state.pictures[key] = picture }
        }
    }

    /// What is held. It costs nothing now, so that its timeline is empty.
    func picture(for key: ImageRequest) -> Pipeline.Picture? {
        guard var picture = state.withLock({ $0.pictures[key] }) else { return nil }
        picture.timeline = LoadTimeline()
        picture.timeline.join()
        return picture
    }
}

extension ImageRequest {
    /// The pictures that this one is made of, from the decoded original on.
    var prefixes: [ImageRequest] {
        guard !transforms.isEmpty, !options.contains(.avoidCoalescing) else { return [] }
        return sequence(first: beforeLastTransform) { $0.transforms.isEmpty ? nil : $0.beforeLastTransform }
            .map(\.heldPicture)
    }

    /// What makes two pictures on the way the same, wherever they come from.
    var heldPicture: ImageRequest {
        var key = sharedPicture
        key.options.subtract([.refreshCached, .retryFailed, .fromCacheOnly, .fromLoaderOnly, .waitStoreCache])
        return key
    }
}

extension Pipeline {
    /// A picture that another running load has made on its way, where this one may use it.
    func heldPicture(_ request: ImageRequest) -> Picture? {
        guard request.options.isDisjoint(with: [.fromLoaderOnly, .avoidCoalescing]), mayUseVariants(request),
            let picture = heldPictures.picture(for: request.heldPicture), known.isCurrent(picture.image, request)
        else { return nil }
        return picture
    }

    /// Lets other running loads use a picture.
    func hold(_ picture: Picture, _ request: ImageRequest) {
        guard !picture.image.metadata.isPartial, picture.provenance.mayBeKept else { return }
        var held = picture
        held.image.stamp = picture.provenance.stamp
        heldPictures.offer(held, for: request.heldPicture)
    }
}
