/// Header fields: a sequence of names and values in order, with duplicates. The case of names is ignored.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "image/*"]
/// headers["Accept-Language"] = "de"
/// for (name, value) in headers { print(name, value) }
/// ```
public struct HTTPHeaders: Sendable, Hashable {
    /// A header field.
    package struct Field: Sendable, Hashable {
        package var name: String
        /// The value, without surrounding white space.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    package private(set) var fields: [Field] = []

    package init() {}

    package init(_ fields: [Field]) { self.fields = fields }

    /// The value of the first field with a name. Setting it replaces all fields with the name; `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.areSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// Returns the values of all fields with a name, in order.
    package func all(_ name: String) -> [String] {
        Array(fields.lazy.filter { Self.areSame($0.name, name) }.map(\.value))
    }

    /// Adds a field at the end.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Compares names without case. They are ASCII (RFC 9110 5.1).
    private static func areSame(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count && first.utf8.elementsEqual(second.utf8) { folded($0) == folded($1) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields in order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.map { (name: $0.name, value: $0.value) }.makeIterator()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates fields, in order; `[:]` has none.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension Substring {
    /// The text without the blanks and tabs around it.
    package var trimmingBlanks: Substring {
        var bytes = utf8.drop(while: \.isBlank)
        while bytes.last?.isBlank == true { bytes.removeLast() }
        return Substring(bytes)
    }
}

extension UInt8 {
    /// Whether it is a blank or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
