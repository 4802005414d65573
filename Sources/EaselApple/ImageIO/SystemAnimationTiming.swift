#if canImport(ImageIO)
import EaselCore
import Foundation
import ImageIO

/// How the frames of an animation are played, as Image I/O tells it.
struct SystemAnimationTiming {
    let durations: [Duration]
    /// 0 is for ever.
    let loopCount: Int

    /// Where each format has its times.
    private struct Keys {
        let dictionary: CFString
        let delay: CFString
        let unclampedDelay: CFString
        let loopCount: CFString
    }

    /// `nil` for a file with one image, and for one with several that are no animation, as the sizes of an icon.
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

    /// A stored delay as it is played: one under 11 ms, which was never honoured by the browsers that files were made for,
    /// is 100 ms.
    static func played(seconds: Double) -> Duration {
        seconds.isFinite && seconds >= 0.011 && seconds < 86_400 ? .seconds(seconds) : .milliseconds(100)
    }

    private static func keys(of source: SystemImageSource) -> Keys? {
        let properties = source.properties(of: 0)
        return all.first { properties[$0.dictionary] != nil }
    }

    /// Made on each use: constants of the system's are not known to be safe between threads.
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
