/// A heap: the greatest element first, in O(log n).
struct BinaryHeap<Element: Comparable> {
    private var elements: [Element] = []

    init() {}

    /// The heap of all of `elements`, in O(n).
    init(_ elements: [Element]) {
        self.elements = elements
        for index in (0..<elements.count / 2).reversed() { sink(index) }
    }

    var count: Int { elements.count }
    /// The greatest.
    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[(index - 1) / 2] < elements[index] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the greatest.
    @discardableResult
    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        sink(0)
        return first
    }

    /// Keeps what fulfils `condition`, in O(n).
    mutating func keep(where condition: (Element) -> Bool) {
        self = BinaryHeap(elements.filter(condition))
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            let left = 2 * index + 1
            var greatest = index
            if left < elements.count, elements[greatest] < elements[left] { greatest = left }
            if left + 1 < elements.count, elements[greatest] < elements[left + 1] { greatest = left + 1 }
            if greatest == index { return }
            elements.swapAt(index, greatest)
            index = greatest
        }
    }
}

extension BinaryHeap: Sendable where Element: Sendable {}
