// The part of the module ObjectiveC that Easel uses: associated objects and selectors.
import Synchronization

public struct Selector: Sendable {
    private let name: String

    public init(_ name: String) { self.name = name }
}

public struct objc_AssociationPolicy: RawRepresentable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let OBJC_ASSOCIATION_RETAIN_NONATOMIC = objc_AssociationPolicy(rawValue: 1)
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    Associations.shared.value(of: object as AnyObject, key)
}

public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    Associations.shared.set(value, of: object as AnyObject, key)
}

/// Drops the associated objects of an object. The runtime does so on deallocation; here views call it in `deinit`.
public func dropAssociations(of object: AnyObject) {
    Associations.shared.drop(ObjectIdentifier(object))
}

private final class Associations: Sendable {
    static let shared = Associations()

    /// Views are on the main actor, where the values are set and read; a `deinit` may run on any thread.
    private struct Values: @unchecked Sendable {
        var values: [ObjectIdentifier: [UnsafeRawPointer: Any]] = [:]
    }

    private let values = Mutex(Values())

    func value(of object: AnyObject, _ key: UnsafeRawPointer) -> Any? {
        let values = values.withLock { $0 }
        return values.values[ObjectIdentifier(object)]?[key]
    }

    func set(_ value: Any?, of object: AnyObject, _ key: UnsafeRawPointer) {
        let value = Values(values: value.map { [ObjectIdentifier(object): [key: $0]] } ?? [:])
        values.withLock { $0.values[ObjectIdentifier(object), default: [:]][key] = value.values.first?.value[key] }
    }

    func drop(_ object: ObjectIdentifier) {
        // Dropped values may call this again in `deinit`, so they are released outside the lock.
        let dropped = values.withLock { values in
            Values(values: values.values.removeValue(forKey: object).map { [object: $0] } ?? [:])
        }
        withExtendedLifetime(dropped) {}
    }
}
