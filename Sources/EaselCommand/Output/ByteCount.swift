/// Numbers of bytes as a person reads them: `999 B`, `1.2 kB`, `25 MB`.
enum ByteCount {
    /// Decimal units, two digits at least where there is a unit.
    static func text(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        // Counted in tenths, so that no digit depends on floating point.
        var tenths = count / 100
        var units = ["kB", "MB", "GB"][...]
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
        return "\(number) \(units.first ?? "GB")"
    }
}
