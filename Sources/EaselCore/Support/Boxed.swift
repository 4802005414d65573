/// A value in a place of its own, which copies share until one changes: for what is large and goes through many hands.
///
/// A load's way has a dozen asynchronous steps, each with room for several of what it passes on; ten thousand loads that
/// wait for their turn pay for all of it.
struct Boxed<Value: Sendable>: Sendable {
    /// Unchecked: the value is written only through a reference that is known to be the only one, as a standard collection
    /// writes to its buffer.
    private final class Box: @unchecked Sendable {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    init(_ value: Value) {
        box = Box(value)
    }

    var value: Value {
        get { box.value }
        _modify {
            prepareForChange()
            yield &box.value
        }
    }

    /// Not inlined, so that the coroutine has no value in its memory.
    @inline(never)
    private mutating func prepareForChange() {
        if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (first: Boxed, second: Boxed) -> Bool { first.box === second.box || first.value == second.value }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
