/// Waits on the main actor until `condition` holds, or until the time limit of the test ends it. It looks seldom, because many
/// tests do, and they share their cores with the work that they wait for.
@MainActor
package func until(_ condition: @MainActor () throws -> Bool) async rethrows {
    while try !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}
