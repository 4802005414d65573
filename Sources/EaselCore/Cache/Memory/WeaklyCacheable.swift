/// A value whose memory belongs to an object, so that a cache can find it again after eviction while something else holds
/// that object.
///
/// `DecodedImage` is one: its memory is the storage of its pixels, and the rest is small.
public protocol WeaklyCacheable: Sendable {
    /// Returns a closure that gives this value back and does not keep it alive, or `nil` where nothing else holds the value.
    ///
    /// A cache calls this under its lock on a value that leaves it, so it must be quick and must not call the cache. It is
    /// mutating so that it can call `isKnownUniquelyReferenced`.
    mutating func weakReference() -> (@Sendable () -> Self?)?
}

extension DecodedImage: WeaklyCacheable {
    /// Returns a closure that gives the image back while something holds its pixels, and its animation where it has one.
    public mutating func weakReference() -> (@Sendable () -> DecodedImage?)? {
        // Of two blocks of memory both would have to be held; few images have deep ones.
        guard deepPixels == nil, let pixels = pixels.weakReference() else { return nil }
        return { [scale, metadata, stamp, isFirstFrameOnly, isAnimated = animation != nil, weak animation] in
            guard let pixels = pixels(), !isAnimated || animation != nil else { return nil }
            var image = DecodedImage(pixels: pixels, scale: scale, metadata: metadata, animation: animation)
            image.stamp = stamp
            image.isFirstFrameOnly = isFirstFrameOnly
            return image
        }
    }
}
