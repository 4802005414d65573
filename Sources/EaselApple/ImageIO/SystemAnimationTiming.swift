#if canImport(ImageIO)
import EaselCore
import Foundation
import ImageIO

/// The frame durations and loop count of an animation, as reported by Image I/O.
struct SystemAnimationTiming {
    let durations: [Duration]
    /// 0 is forever.
    let loopCount: Int

    /// The property keys of a format.
    private struct Keys {
        let dictionary: CFString
        let delay: CFString
        let unclampedDelay: CFString
        let loopCount: CFString
    }

    /// Returns `nil` for a single image, and for several that are no animation, such as the sizes of an icon.
    init?(_ source: SystemImageSource) {
        guard source.count > 1, let keys = Self.keys(of: source) else { return nil }
        durations = (0..<source.count).map { index in
            let frame = source.properties(of: index)[keys.dictionary] as? [CFString: Any] ?? [:]
            let seconds = (frame[keys.unclampedDelay] ?? frame[keys.delay]) as? Double ?? 0
            return Self.played(seconds: seconds)
        }
        let file = CGImageSourceCopyProperties(source.source, nil) as? [CFString: Any] ?? [:]
        loopCount = (file[keys.dictionary] as? [CFString: Any])?[keys.loopCount] as? Int ?? 1
    }

    /// Returns the effective duration of a stored delay: below 11 ms it is 100 ms, as in browsers.
    static func played(seconds: Double) -> Duration {
        seconds.isFinite && seconds >= 0.011 && seconds < 86_400 ? .seconds(seconds) : .milliseconds(100)
    }

    private static func keys(of source: SystemImageSource) -> Keys? {
        let properties = source.properties(of: 0)
        return all.first { properties[$0.dictionary] != nil }
    }

    /// Computed on each use, because the system's constants are not known to be thread-safe.
    private static var all: [Keys] {
        [
            Keys(
                dictionary: kCGImagePropertyGIFDictionary, delay: kCGImagePropertyGIFDelayTime,
                unclampedDelay: kCGImagePropertyGIFUnclampedDelayTime, loopCount: kCGImagePropertyGIFLoopCount),
            Keys(
                dictionary: kCGImagePropertyPNGDictionary, delay: kCGImagePropertyAPNGDelayTime,
                unclampedDelay: kCGImagePropertyAPNGUnclampedDelayTime, loopCount: kCGImagePropertyAPNGLoopCount),
            Keys(
                dictionary: kCGImagePropertyWebPDictionary, delay: kCGImagePropertyWebPDelayTime,
                unclampedDelay: kCGImagePropertyWebPUnclampedDelayTime, loopCount: kCGImagePropertyWebPLoopCount),
            Keys(
                dictionary: kCGImagePropertyHEICSDictionary, delay: kCGImagePropertyHEICSDelayTime,
                unclampedDelay: kCGImagePropertyHEICSUnclampedDelayTime, loopCount: kCGImagePropertyHEICSLoopCount),
        ]
    }
}
#endif
