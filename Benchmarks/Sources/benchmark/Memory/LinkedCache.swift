import Foundation

/// A cache as image libraries commonly implement it: a dictionary from text keys to nodes in a doubly linked list in
/// order of use, guarded by an `NSLock`.
final class LinkedCache<Value>: @unchecked Sendable {
    private final class Node {
        let key: String
        var value: Value
        var cost: Int
        var newer: Node?
        unowned var older: Node?

        init(key: String, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    /// Guards the state below, which makes `@unchecked Sendable` sound.
    private let lock = NSLock()
    private var nodes: [String: Node] = [:]
    private var newest: Node?
    private var oldest: Node?
    private var totalCost = 0
    private let maximumCost: Int

    init(maximumCost: Int) {
        self.maximumCost = maximumCost
    }

    deinit {
        // One by one, since releasing a long chain of nodes would overflow the stack.
        while let node = oldest { unlink(node) }
    }

    func value(for key: String) -> Value? {
        lock.lock()
        defer { lock.unlock() }
        guard let node = nodes[key] else { return nil }
        unlink(node)
        link(node)
        return node.value
    }

    func store(_ value: Value, cost: Int, for key: String) {
        lock.lock()
        defer { lock.unlock() }
        if let node = nodes[key] {
            totalCost += cost - node.cost
            (node.value, node.cost) = (value, cost)
            unlink(node)
            link(node)
        } else {
            let node = Node(key: key, value: value, cost: cost)
            nodes[key] = node
            totalCost += cost
            link(node)
        }
        while totalCost > maximumCost, let node = oldest {
            unlink(node)
            nodes[node.key] = nil
            totalCost -= node.cost
        }
    }

    private func link(_ node: Node) {
        node.older = newest
        newest?.newer = node
        newest = node
        if oldest == nil { oldest = node }
    }

    private func unlink(_ node: Node) {
        let (newer, older) = (node.newer, node.older)
        if let older { older.newer = newer } else { oldest = newer }
        if let newer { newer.older = older } else { newest = older }
        (node.newer, node.older) = (nil, nil)
    }
}
