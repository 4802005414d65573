/// A part of a request whose behaviour cannot be compared: a closure, a loader, a cache.
///
/// Two are equal if they have the same name or, without names, are the same object. A name stands for everything that
/// the value does: if that changes, so must the name. Names are part of the keys that mention them. An object without a
/// name is part of no key, because its address means nothing to another process.
public struct Identified<Value: Sendable>: Sendable, Hashable {
    private enum Identity: Hashable {
        case name(String)
        case object(ObjectIdentifier)
    }

    private let identity: Identity
    private let content: Uncompared<Value>

    fileprivate init(_ object: AnyObject, as value: Value) {
        identity = .object(ObjectIdentifier(object))
        content = Uncompared(value)
    }

    /// Creates a value that is identified by a name.
    public init(_ name: String, _ value: Value) {
        identity = .name(name)
        content = Uncompared(value)
    }

    /// `nil` for an object without a name.
    var name: String? {
        if case .name(let name) = identity { name } else { nil }
    }
    var value: Value { content.value }
}

/// A part of a value that is ignored in comparisons.
struct Uncompared<Value: Sendable>: Sendable, Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (first: Self, second: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension Identified where Value == any ImageCaching {
    /// Creates a cache that is identified by its object.
    public init(_ cache: some ImageCaching & AnyObject) { self.init(cache, as: cache) }
}

extension Identified where Value == any ImageLoading {
    /// Creates a loader that is identified by its object. Keys do not distinguish its images from those of other
    /// loaders: a loader that loads anything but the content of the URL needs a name.
    public init(_ loader: some ImageLoading & AnyObject) { self.init(loader, as: loader) }
}
