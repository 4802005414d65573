/// What went wrong without stopping a load.
public enum ImageWarning: Sendable, Hashable {
    /// The cache could not be written: the next load has to fetch the picture again.
    case notStored(ImageError)
    /// The cache could not be read, and was passed over.
    case notRead(ImageError)
    /// The server could not be asked, or failed, and a picture that is out of date stood in, as the server allows for a
    /// while (`stale-if-error`, RFC 5861 4).
    case outdated(ImageError)
    /// A cached file could not be decoded; it was removed and the picture fetched again (B99).
    case damagedEntry(ImageError)
}

extension ImageWarning: CustomStringConvertible {
    /// What happened, in a sentence.
    public var description: String {
        switch self {
        case .notStored(let error): "The picture could not be cached. \(error)"
        case .notRead(let error): "The cache was passed over. \(error)"
        case .outdated(let error): "A picture that is out of date was used. \(error)"
        case .damagedEntry(let error): "A damaged file was removed from the cache. \(error)"
        }
    }
}
