extension Int {
    /// Millions of bytes.
    public static func megabytes(_ count: Int) -> Int { count * 1_000_000 }
}

extension Duration {
    /// Days of 24 hours.
    public static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    /// The whole of it in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
