/// A value of one's own that a request carries to the manager's hooks: to the delegate, a loader, a serializer.
///
/// ```swift
/// enum Shelf: RequestExtra { static let defaultValue = 0 }
/// extension ImageRequest {
///     var shelf: Int {
///         get { extras[Shelf.self] }
///         set { extras[Shelf.self] = newValue }
///     }
/// }
/// ```
public protocol RequestExtra {
    /// What it holds.
    associatedtype Value: Sendable & Hashable

    /// The value of a request that sets none.
    static var defaultValue: Value { get }

    /// The text that stands for a value in every key, if the value changes what is loaded; `nil`, the default, if not.
    /// It has to name the extra too: `Shelf(3)`. Loads that differ only in extras without a text share their work, and
    /// the hooks see the extras of one of them. Not called for the default value.
    static func keyText(of value: Value) -> String?
}

extension RequestExtra {
    /// None.
    public static func keyText(of value: Value) -> String? { nil }
}

/// The extras of one request, by their types.
public struct RequestExtras: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let value: any Sendable & Hashable
        let keyText: String?

        static func == (first: Self, second: Self) -> Bool { AnyHashable(first.value) == AnyHashable(second.value) }
        func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    /// None.
    public init() {}

    /// The value of one extra: its default, unless another is set.
    public subscript<Extra: RequestExtra>(_ extra: Extra.Type) -> Extra.Value {
        get { entries[ObjectIdentifier(extra)]?.value as? Extra.Value ?? extra.defaultValue }
        set {
            // A default has no entry, so that a request that sets it equals one that does not.
            entries[ObjectIdentifier(extra)] =
                newValue == extra.defaultValue ? nil : Entry(value: newValue, keyText: extra.keyText(of: newValue))
        }
    }

    /// Their parts of every key, in a stable order.
    var keyTexts: [String] { entries.values.compactMap(\.keyText).sorted() }

    /// Those that change what is loaded.
    var inKeys: RequestExtras {
        var extras = self
        extras.entries = entries.filter { $0.value.keyText != nil }
        return extras
    }
}
