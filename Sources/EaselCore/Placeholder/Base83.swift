/// Numbers in the 83 characters that BlurHash uses.
enum Base83 {
    private static let characters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = value }
        return values
    }()

    /// The digits of a text; `nil` where another character is in it.
    static func digits(of text: String) -> [Int]? {
        let digits = text.utf8.compactMap { values[Int($0)] }
        return digits.count == text.utf8.count ? digits : nil
    }

    /// The number that digits make; few enough of them fit.
    static func value(of digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    /// A number in so many digits.
    static func text(_ number: Int, _ count: Int) -> String {
        var (rest, digits) = (number, [UInt8]())
        for _ in 0..<count {
            digits.append(characters[rest % 83])
            rest /= 83
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}
