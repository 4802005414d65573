/// Has a say in what a manager does. Every method has a default; each is called from any thread, outside of every lock, and
/// must not block.
public protocol ImageManagerDelegate: Sendable {
    /// Whether a loader may be asked for what the cache does not have, or is to be asked about again (S058, X046): yes. Asked
    /// only then. Where not, the load ends with what is kept, or with `ImageError.notCached`.
    func imageManager(shouldLoad request: ImageRequest) -> Bool

    /// The transforms of a picture whose request names none (S059, X040, X041): none. Not asked where the request avoids that
    /// (X023). They are part of the picture's key, as the request's own are (R016).
    func imageManager(transformsFor request: ImageRequest) -> [ImageTransform]

    /// For how long a URL that failed so is left alone, `nil` for not at all (X048): `ImageError.blockingTime`.
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration?
}

extension ImageManagerDelegate {
    /// Yes.
    public func imageManager(shouldLoad request: ImageRequest) -> Bool { true }

    /// None.
    public func imageManager(transformsFor request: ImageRequest) -> [ImageTransform] { [] }

    /// As long as errors of its kind last.
    public func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? {
        error.blockingTime
    }
}

struct DefaultDelegate: ImageManagerDelegate {}
