/// Waits for a state that gives no event: lets other tasks run until `condition` holds. A test that uses it has a time limit.
func eventually(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
