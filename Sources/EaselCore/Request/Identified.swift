/// A part of a request whose behaviour cannot be compared: a closure, a loader, a cache.
///
/// Two are equal if they have the same name or, if made from an object alone, are the same object. A name stands for
/// everything the value does: if that changes, so must the name. Names are part of the keys that mention them. Objects
/// are part of no key, because an address means nothing to another process.
public struct Identified<Value: Sendable>: Sendable, Hashable {
    private enum Identity: Sendable, Hashable {
        case name(String)
        case object(ObjectIdentifier)
    }

    /// One reference keeps requests small.
    private final class Content: Sendable {
        let identity: Identity
        let value: Value
        /// Retained, so that no other object takes its address.
        let object: (any AnyObject & Sendable)?

        init(_ identity: Identity, _ value: Value, object: (any AnyObject & Sendable)? = nil) {
            self.identity = identity
            self.value = value
            self.object = object
        }
    }

    private let content: Content

    /// `value`, identified by a name.
    public init(_ name: String, _ value: Value) {
        content = Content(.name(name), value)
    }

    /// `value`, identified by an object, which is retained.
    public init(object: some AnyObject & Sendable, _ value: Value) {
        content = Content(.object(ObjectIdentifier(object)), value, object: object)
    }

    /// What is identified.
    public var value: Value { content.value }

    /// The name; `nil` for an object that has none.
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
    /// A loader that is an object, as `ImageDownloader` is. Keys do not tell its images from those of other loaders: a
    /// loader that brings anything but what the URL names needs a name.
    public init(_ loader: some ImageLoading & AnyObject) { self.init(object: loader, loader) }
}
