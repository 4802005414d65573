/// The state of targets that have no place of their own for it. It holds no target, and a new object at an old one's address never
/// finds the old one's state.
@MainActor
final class TargetRegistry {
    static let shared = TargetRegistry()

    private struct Entry {
        weak var target: (any ImageTarget)?
        let state: ImageTargetState
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var callsUntilCleaning = 16

    /// Targets with a state here; dead ones count until they are found.
    var count: Int { entries.count }

    func state(of target: any ImageTarget) -> ImageTargetState {
        cleanNowAndThen()
        let id = ObjectIdentifier(target)
        // The address may be that of an object that is gone.
        if let entry = entries[id], entry.target === target { return entry.state }
        let state = ImageTargetState()
        state.outlivesTarget = true
        entries[id] = Entry(target: target, state: state)
        return state
    }

    /// Lets go of the state of targets that are gone, which cancels their loads.
    func clean() {
        entries = entries.filter { $0.value.target != nil }
        callsUntilCleaning = max(16, entries.count)
    }

    /// Once in as many calls as there are targets, so that a call costs the same however many there are.
    private func cleanNowAndThen() {
        callsUntilCleaning -= 1
        if callsUntilCleaning <= 0 { clean() }
    }
}
