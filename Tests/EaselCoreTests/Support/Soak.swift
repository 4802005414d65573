import Foundation

/// How long the tests of faults go on: seconds in every run, minutes where `EASEL_SOAK` is set, as `make soak` does.
enum Soak {
    static let isOn = ProcessInfo.processInfo.environment["EASEL_SOAK"] != nil

    static func rounds(_ usual: Int, long: Int) -> Int { isOn ? long : usual }
    static func milliseconds(_ usual: Int, long: Int) -> Int { isOn ? long : usual }
}
