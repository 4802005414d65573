/// A value of one's own that a request carries to the manager's hooks: to the delegate, a loader, a serializer (X025).
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

    /// What a request has that was given none.
    static var defaultValue: Value { get }

    /// The text that stands for a value in every key, where it changes what is loaded; `nil`, the default, where not. It has to
    /// name the extra too: `Shelf(3)`. Loads that differ only in extras without one share their work, and the hooks see
    /// those of one of them. Not asked about the default value.
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

    /// The value of one extra: its default, unless another was set.
    public subscript<Extra: RequestExtra>(_ extra: Extra.Type) -> Extra.Value {
        get { entries[ObjectIdentifier(extra)]?.value as? Extra.Value ?? extra.defaultValue }
        set {
            // The default is no entry: a request that was never given it is an equal one.
            entries[ObjectIdentifier(extra)] =
                newValue == extra.defaultValue ? nil : Entry(value: newValue, keyText: extra.keyText(of: newValue))
        }
    }

    /// What they add to every key, in an order that does not change.
    var keyTexts: [String] {
        entries.isEmpty ? [] : entries.values.compactMap(\.keyText).sorted()
    }

    /// Those alone that change what is loaded.
    var inKeys: RequestExtras {
        guard !entries.isEmpty else { return self }
        var extras = self
        extras.entries = entries.filter { $0.value.keyText != nil }
        return extras
    }
}
