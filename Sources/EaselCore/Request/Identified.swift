/// Something that a request brings along and that cannot be compared by what it does: a closure, a loader, a cache.
///
/// Two are equal where their names are, or, of those made from an object alone, where that is the same object. A name stands
/// for everything that the thing does: where that changes, so must the name. Names are part of the keys that say so, and
/// objects of none: where an object is in memory means nothing to another process.
public struct Identified<Value: Sendable>: Sendable, Hashable {
    private enum Identity: Sendable, Hashable {
        case name(String)
        case object(ObjectIdentifier)
    }

    /// One reference, so that a request that has none of these is as small as it can be.
    private final class Content: Sendable {
        let identity: Identity
        let value: Value

        init(_ identity: Identity, _ value: Value) {
            self.identity = identity
            self.value = value
        }
    }

    private let content: Content

    /// `value`, known by a name.
    public init(_ name: String, _ value: Value) {
        content = Content(.name(name), value)
    }

    /// `value`, known as the object that it is. It is held, so that no other object takes its place in memory.
    init(object: some AnyObject & Sendable, _ value: Value) {
        content = Content(.object(ObjectIdentifier(object)), value)
    }

    /// What is known.
    public var value: Value { content.value }

    /// Its name; `nil` for an object that has none.
    public var name: String? {
        if case .name(let name) = content.identity { name } else { nil }
    }

    /// Whether both have one name, or are one object.
    public static func == (first: Self, second: Self) -> Bool { first.content.identity == second.content.identity }

    /// Hashes the name, or the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(content.identity) }
}

extension Identified where Value == any ImageCaching {
    /// A cache that is an object, as `ImageCache` is.
    public init(_ cache: some ImageCaching & AnyObject) { self.init(object: cache, cache) }
}

extension Identified where Value == any ImageLoading {
    /// A loader that is an object, as `ImageDownloader` is. It is trusted to bring what the URL says: no key tells what came
    /// by it from what came by others. A loader that brings something else needs a name.
    public init(_ loader: some ImageLoading & AnyObject) { self.init(object: loader, loader) }
}
