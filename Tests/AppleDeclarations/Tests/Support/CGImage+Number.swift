import CoreGraphics

extension CGImage {
    /// The value of its pixels as Core Graphics would read them.
    var number: Int? {
        dataProvider.map { Int($0.address.load(as: UInt8.self)) }
    }
}
