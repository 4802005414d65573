extension ImageCache {
    /// A picture in memory of another size than was asked for that does as well (B16, B17): of those that do, the smallest,
    /// which is the quickest to draw and the sharpest where it is scaled down.
    ///
    /// What is known of a picture tells its size, so that one without `ImageMetadata.sampling` stands for no other.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        memory.value(inGroup: family) { images in
            images.lastIndex { $0.metadata.sampling?.answers(size, precision) ?? false }
        }
    }

    /// Keeps a picture in memory at the cost of its pixels, as one of the sizes of a family.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        guard image.metadata.sampling != nil else { return store(image, for: key) }
        memory.store(image, cost: image.memoryCost, for: key, group: family)
    }

    /// Every size of a picture that is in memory, those too that were evicted and are still shown, the largest first (B15).
    ///
    /// - Parameter family: `ImageRequest.familyKey`.
    public func images(inFamily family: CacheKey) -> [DecodedImage] {
        memory.values(inGroup: family)
    }
}
