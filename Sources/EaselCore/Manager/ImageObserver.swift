/// Hears what a manager does. Called from any thread; must not block.
public protocol ImageObserver: Sendable {
    /// Something went wrong that did not stop the load: the picture came all the same.
    func imageManager(didWarn warning: ImageWarning)
}

/// What went wrong without stopping a load.
public enum ImageWarning: Sendable, Hashable {
    /// The cache could not be written: the next load has to fetch the picture again.
    case notStored(ImageError)
    /// The cache could not be read, and was passed over.
    case notRead(ImageError)
    /// A cached file could not be decoded; it was removed and the picture fetched again (B99).
    case damagedEntry(ImageError)
}

extension ImageWarning: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .notStored(let error): "The picture could not be cached. \(error)"
        case .notRead(let error): "The cache was passed over. \(error)"
        case .damagedEntry(let error): "A damaged file was removed from the cache. \(error)"
        }
    }
}
