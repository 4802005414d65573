import Foundation

/// The duration of fault tests: seconds by default, minutes if `EASEL_SOAK` is set, as in `make soak`.
enum Soak {
    static let isOn = ProcessInfo.processInfo.environment["EASEL_SOAK"] != nil

    static func rounds(_ usual: Int, long: Int) -> Int { isOn ? long : usual }
    static func milliseconds(_ usual: Int, long: Int) -> Int { isOn ? long : usual }
}
