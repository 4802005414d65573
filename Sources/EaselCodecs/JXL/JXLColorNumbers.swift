#if JXL
/// The colours of a JPEG XL that are told in numbers, not by a profile.
struct JXLColorNumbers: Equatable {
    /// 0 RGB, 1 gray.
    var space: Int
    /// 1 D65, 10 E, 11 that of DCI; 2 any other.
    var white: Int
    /// 1 sRGB, 9 BT.2100, 11 P3; 2 any other.
    var primaries: Int
    /// H.273's number, or a power in units of 10 to the power of -7.
    var curve: Curve
    /// 0 perceptual, 1 relative, 2 saturation, 3 absolute.
    var intent: Int

    enum Curve: Equatable {
        case number(Int)
        case power(Int)
    }

    static let sRGB = JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .number(13), intent: 1)

    /// What libjxl calls a profile that it makes of them, but for `sRGB`; `nil` where that would have to hold coordinates. It is
    /// the same for all versions of the library, which name some as others do not.
    var name: String? {
        var named = self
        named.intent = Self.sRGB.intent
        if named == .sRGB { return "sRGB" }
        guard let space = [0: "RGB", 1: "Gra"][space], let white = [1: "D65", 10: "EER", 11: "DCI"][white],
            let intent = [0: "Per", 1: "Rel", 2: "Sat", 3: "Abs"][intent], let curve = curveName
        else { return nil }
        if self.space == 1 { return [space, white, intent, curve].joined(separator: "_") }
        guard let primaries = [1: "SRG", 9: "202", 11: "DCI"][primaries] else { return nil }
        return [space, white, primaries, intent, curve].joined(separator: "_")
    }

    private var curveName: String? {
        switch curve {
        case .number(let number):
            return [1: "709", 8: "Lin", 13: "SRG", 16: "PeQ", 17: "DCI", 18: "HLG"][number]
        case .power(let power):
            guard power > 0, power < 10_000_000 else { return power == 10_000_000 ? "g1" : nil }
            var digits = String(10_000_000 + power).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            return "g0.\(digits)"
        }
    }
}
#endif
