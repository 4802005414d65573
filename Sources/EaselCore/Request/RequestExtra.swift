/// A custom value that a request carries to the hooks of a manager: the delegate, a loader, a serializer.
///
/// ```swift
/// enum Shelf: RequestExtra { static let defaultValue = 0 }
/// extension ImageRequest {
///     var shelf: Int {
///         get { self[Shelf.self] }
///         set { self[Shelf.self] = newValue }
///     }
/// }
/// ```
public protocol RequestExtra {
    /// The type of the value.
    associatedtype Value: Sendable & Hashable

    /// The value if a request sets none.
    static var defaultValue: Value { get }

    /// Returns the text for a value in every key, such as `Shelf(3)`, if the value changes the loaded image; `nil`, the
    /// default, otherwise. Loads that differ only in extras without a text share their work, and the hooks get the
    /// extras of one of them. Not called for the default value.
    static func keyText(of value: Value) -> String?
}

extension RequestExtra {
    /// Returns `nil`.
    public static func keyText(of value: Value) -> String? { nil }
}

extension ImageRequest {
    /// The value of an extra, or its default.
    public subscript<Extra: RequestExtra>(_ extra: Extra.Type) -> Extra.Value {
        get { extras[extra] }
        set { extras[extra] = newValue }
    }
}

/// The extras of a request.
package struct RequestExtras: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let value: any Sendable & Hashable
        let keyText: String?

        static func == (first: Self, second: Self) -> Bool { AnyHashable(first.value) == AnyHashable(second.value) }
        func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    package subscript<Extra: RequestExtra>(_ extra: Extra.Type) -> Extra.Value {
        get { entries[ObjectIdentifier(extra)]?.value as? Extra.Value ?? extra.defaultValue }
        set {
            // A default has no entry, so that a request that sets it equals one that does not.
            entries[ObjectIdentifier(extra)] =
                newValue == extra.defaultValue ? nil : Entry(value: newValue, keyText: extra.keyText(of: newValue))
        }
    }

    /// The texts in every key, in a stable order.
    var keyTexts: [String] { entries.values.compactMap(\.keyText).sorted() }

    /// The extras that are part of keys.
    var inKeys: RequestExtras {
        var extras = self
        extras.entries = entries.filter { $0.value.keyText != nil }
        return extras
    }
}
