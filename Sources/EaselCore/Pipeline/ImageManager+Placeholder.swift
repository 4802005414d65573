extension ImageManager {
    /// Returns the placeholder of a request if it takes no time to make, as all do but the hashes. For views that show something before
    /// a load begins.
    public func placeholder(for request: ImageRequest) -> DecodedImage? {
        guard case .ready(let image) = placeholderImage(for: applyConfiguration(to: request)) else { return nil }
        return image
    }

    /// Delivers the placeholder as the task's first preview: at once, or after a hash has been decoded. The load does not wait for it.
    func showPlaceholder(of task: ImageTask) {
        switch placeholderImage(for: task.request) {
        case .ready(let image):
            task.deliver(placeholder: image)
        case .work(let make):
            Task {
                let image: DecodedImage? = try? await WorkerPool.pixels.run(make)
                if let image { task.deliver(placeholder: image) }
            }
        case nil:
            break
        }
    }

    /// Returns the image of a placeholder for a request, or for none.
    func image(of placeholder: Placeholder, for request: ImageRequest?) -> PlaceholderImage? {
        guard var request else { return PlaceholderImage(placeholder, for: .original) { [] } }
        request.placeholder = placeholder
        return placeholderImage(for: applyConfiguration(to: request))
    }

    private func placeholderImage(for request: ImageRequest) -> PlaceholderImage? {
        guard let placeholder = request.placeholder else { return nil }
        return PlaceholderImage(placeholder, for: request.decodedSize) {
            // The image itself can be there too, if the load does not use it. It is better than any other size.
            let cache = pipeline.imageCache(of: request)
            return cache.image(for: request.key).map { [$0] } ?? cache.images(inFamily: request.familyKey)
        }
    }
}
