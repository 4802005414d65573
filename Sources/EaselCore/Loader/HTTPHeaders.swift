/// Header fields in order, with duplicates, found by name whatever the case.
public struct HTTPHeaders: Sendable, Hashable {
    /// One line of a head.
    public struct Field: Sendable, Hashable {
        /// As it is sent; compared without regard to case.
        public var name: String
        /// Without surrounding white space.
        public var value: String

        /// A field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// No fields yet, and room for so many.
    package init(capacity: Int) {
        fields.reserveCapacity(capacity)
    }

    /// These fields.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The first field of this name. Setting replaces all of them; `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.areSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    /// The values of all fields of this name, in order.
    public func all(_ name: String) -> [String] {
        Array(fields.lazy.filter { Self.areSame($0.name, name) }.map(\.value))
    }

    /// Adds a field behind those that are there.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Field names are ASCII (RFC 9110 5.1), so that folding bit 5 is enough. Most differ in length or in the first letter.
    private static func areSame(_ first: String, _ second: String) -> Bool {
        guard first.utf8.count == second.utf8.count else { return false }
        var (one, other) = (first.utf8.makeIterator(), second.utf8.makeIterator())
        while let byte = one.next(), let otherByte = other.next() {
            guard byte == otherByte || folded(byte) == folded(otherByte) else { return false }
        }
        return true
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Fields in the order in which they are written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}
