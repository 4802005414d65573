import EaselFoundation

/// What is put in the cache by hand, so that loads take it for their own.
extension Pipeline {
    func keep(_ file: Data, _ request: ImageRequest) async throws(ImageError) {
        try pixels.checkIsImage(file, request)
        guard await pixels.isSound(LoadedData(data: file, source: .disk), request) else {
            throw .badData("The file is damaged: it does not decode to its end.")
        }
        _ = try await keepOriginal(file, request)
    }

    func keep(
        _ image: DecodedImage, _ request: ImageRequest, in levels: CacheLevels
    ) async throws(ImageError) {
        guard !image.metadata.isPartial else { return }
        if levels.contains(.memory) { keepInMemory(image, request, stamp: known.stamp()) }
        guard levels.contains(.disk), let file = await file(of: image, request) else { return }
        if request.isOriginal {
            let stamp = try await keepOriginal(file, request)
            // What was in memory before counts as a picture of the file before.
            if levels.contains(.memory) { keepInMemory(image, request, stamp: stamp) }
            return
        }
        var provenance = Provenance()
        provenance.version = await currentVersion(request)
        // A decoded one, which would be found first, is of another picture.
        let cache = pictureCache(of: request)
        try await cache.remove(request.diskKey, from: .disk)
        try await cache.store(file, metadata: provenance.metadata, for: request.diskKey)
    }

    /// What is written of a picture that is kept by hand. All frames of an animation are in its file alone, which is the
    /// original.
    private func file(of image: DecodedImage, _ request: ImageRequest) async -> Data? {
        guard let animation = image.animation, request.wantsAnimation else {
            return await pixels.encoded(image, request)
        }
        return request.isOriginal && animation.transforms.isEmpty ? animation.data : nil
    }

    /// Keeps a file as the one that its URL gives now. Returns the stamp of pictures made from it.
    private func keepOriginal(_ file: Data, _ request: ImageRequest) async throws(ImageError) -> UInt64 {
        var provenance = Provenance()
        provenance.version = FileVersion(of: file)
        try await fileCache(of: request).store(file, metadata: provenance.metadata, for: request.originalKey)
        return known.accept(provenance, for: request.originalKey, isRefresh: true)
    }

    private func keepInMemory(_ image: DecodedImage, _ request: ImageRequest, stamp: UInt64) {
        var image = image
        image.stamp = stamp
        pictureCache(of: request).store(image, for: request.key, family: request.familyKey)
    }

    private func currentVersion(_ request: ImageRequest) async -> FileVersion? {
        let key = request.originalKey
        if let version = known.version(of: key) { return version }
        let metadata = try? await fileCache(of: request).metadata(for: key)
        return metadata.flatMap { FileVersion(metadata: $0.fields) }
    }
}
