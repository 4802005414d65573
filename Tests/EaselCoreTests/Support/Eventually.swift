/// Runs other tasks until `condition` is true, for states without an event. A test that uses it needs a time limit.
func eventually(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
