extension ImageManager {
    /// The request's placeholder, where there is one and making it takes no time to speak of: everything but the hashes.
    /// For views that want something to show before a load begins.
    public func placeholder(for request: ImageRequest) -> DecodedImage? {
        guard case .ready(let image) = placeholderPicture(for: processed(request)) else { return nil }
        return image
    }

    /// Gives the task its first preview: before this returns, or as soon as a hash has been turned into a picture. One that
    /// comes behind a picture of the load's own is dropped.
    func showPlaceholder(of task: ImageTask) {
        switch placeholderPicture(for: task.request) {
        case .ready(let image):
            task.show(placeholder: image)
        case .work(let make):
            // The load does not wait for it: the pixel threads may be busy.
            Task {
                let image: DecodedImage? = try? await WorkerPool.pixels.run(make)
                if let image { task.show(placeholder: image) }
            }
        case nil:
            break
        }
    }

    /// A placeholder as it looks in place of a request's picture, or of none.
    func picture(of placeholder: Placeholder, for request: ImageRequest?) -> PlaceholderPicture? {
        guard var request else { return PlaceholderPicture(placeholder, for: .original) { [] } }
        request.placeholder = placeholder
        return placeholderPicture(for: processed(request))
    }

    private func placeholderPicture(for request: ImageRequest) -> PlaceholderPicture? {
        guard let placeholder = request.placeholder else { return nil }
        return PlaceholderPicture(placeholder, for: request.decodedSize) {
            // The very picture may be there too, where a load does not use it or asks again: it is better than any other.
            pipeline.cache.image(for: request.key).map { [$0] } ?? pipeline.cache.images(inFamily: request.familyKey)
        }
    }
}

extension ImageTask {
    fileprivate func show(placeholder image: DecodedImage) {
        show(placeholder: ImageResponse(image: image, source: .memory, request: request))
    }
}
