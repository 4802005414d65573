/// Elements in the order of three levels of priority, and of one level in the order in which they came.
struct PriorityBuckets<Element> {
    private var high = Deque<Element>()
    private var medium = Deque<Element>()
    private var low = Deque<Element>()

    mutating func append(_ element: Element, _ priority: TaskPriority) {
        if priority >= .high {
            high.append(element)
        } else if priority >= .medium {
            medium.append(element)
        } else {
            low.append(element)
        }
    }

    /// Removes and returns the first element of the highest level.
    mutating func popFirst() -> Element? { high.popFirst() ?? medium.popFirst() ?? low.popFirst() }
}
