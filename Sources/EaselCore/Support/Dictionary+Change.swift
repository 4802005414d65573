extension Dictionary {
    /// Changes the value of a key in its place, where there is one, and returns what `body` does.
    ///
    /// `self[key]?.change()` does the same through three coroutines, each with memory that is allocated for it.
    @inline(__always)
    mutating func change<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        guard let place = index(forKey: key) else { return nil }
        return body(&values[place])
    }
}
