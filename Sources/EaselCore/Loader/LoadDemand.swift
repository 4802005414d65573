/// What is wanted of a piece of work besides its result. Those who share it want the union.
struct LoadDemand: Sendable, Hashable {
    /// How urgent it is.
    var priority: LoadPriority
    /// Whether pictures are to be shown before the file is whole (S080).
    var wantsPreviews = false

    /// What two want together: the higher priority, and previews where one of them does.
    func union(_ other: LoadDemand) -> LoadDemand {
        LoadDemand(
            priority: max(priority, other.priority), wantsPreviews: wantsPreviews || other.wantsPreviews)
    }
}
