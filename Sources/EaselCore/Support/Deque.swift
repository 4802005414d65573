/// A queue with two ends, and constant time on average. Its memory is proportional to the elements.
struct Deque<Element> {
    private var elements: [Element] = []
    private var start = 0

    var count: Int { elements.count - start }
    var first: Element? { start < elements.count ? elements[start] : nil }
    var last: Element? { start < elements.count ? elements.last : nil }

    /// The number of elements in memory.
    var footprint: Int { elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        start += 1
        // Moving the remaining elements costs no more than removing as many.
        if start * 2 >= elements.count {
            elements.removeFirst(start)
            start = 0
        }
        return first
    }

    @discardableResult
    mutating func popLast() -> Element? { start < elements.count ? elements.popLast() : nil }

    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements = elements[start...].filter { !isRemoved($0) }
        start = 0
    }
}

extension Deque: Sendable where Element: Sendable {}
