/// A value whose memory belongs to an object, so that a cache can find it again after it was evicted, for as long as
/// somebody else holds that object (X097).
///
/// `DecodedImage` is one: what takes memory is the storage of its pixels, and the rest is small.
public protocol WeaklyCacheable: Sendable {
    /// A way back to this value that does not keep it alive, or `nil` where nobody else holds it.
    ///
    /// Called under the lock of the cache on a value that leaves it, so it must be quick and must not call the cache.
    /// It is mutating so that `isKnownUniquelyReferenced` can be asked.
    mutating func weakReference() -> (@Sendable () -> Self?)?
}

extension DecodedImage: WeaklyCacheable {
    /// A way back to the picture for as long as somebody holds its pixels, and its animation where it has one.
    public mutating func weakReference() -> (@Sendable () -> DecodedImage?)? {
        // Of two blocks of memory both would have to be held; few pictures have deep ones.
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
