import EaselCore
import Synchronization

/// The conversions that were built last, so that the next file with the same profile finds its own made.
///
/// They are found by the whole of what they were made from, and not by a hash of it, which a hostile file could share with
/// an honest one.
struct ColorConversionCache {
    struct Key: Hashable {
        var colors: ColorDescription
        var space: ColorSpace
        var samples: ColorConversion.Samples

        var byteCount: Int {
            if case .profile(let profile) = colors { return profile.bytes.count + MemoryLayout<Self>.stride }
            return MemoryLayout<Self>.stride
        }
    }

    private struct Entry {
        /// `nil`: it is known that there is nothing to convert.
        var conversion: ColorConversion?
        var byteCount: Int
        var lastUse: Int
    }

    private let countLimit: Int
    private let byteLimit: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private(set) var byteCount = 0

    var count: Int { entries.count }

    /// A cache that holds at most this much, and forgets what was used longest ago.
    init(countLimit: Int = 64, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// What was kept: `.some(nil)` where there is nothing to convert, `nil` where nothing is known.
    mutating func conversion(for key: Key) -> ColorConversion?? {
        guard let index = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[index].lastUse = uses
        return .some(entries.values[index].conversion)
    }

    mutating func keep(_ conversion: ColorConversion?, for key: Key) {
        let size = key.byteCount + (conversion?.byteCount ?? 0)
        guard size <= byteLimit else { return }
        uses += 1
        byteCount -= entries[key]?.byteCount ?? 0
        byteCount += size
        entries[key] = Entry(conversion: conversion, byteCount: size, lastUse: uses)
        while entries.count > countLimit || byteCount > byteLimit {
            guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
            byteCount -= oldest.value.byteCount
            entries[oldest.key] = nil
        }
    }
}

extension ColorConversionCache {
    private static let shared = Mutex(ColorConversionCache())

    /// What the whole process keeps, else what `build` makes. Two threads that want the same at once may both build it:
    /// nobody waits while another builds.
    static func conversion(_ key: Key, build: () -> ColorConversion?) -> ColorConversion? {
        if let kept = shared.withLock({ $0.conversion(for: key) }) { return kept }
        let conversion = build()
        shared.withLock { $0.keep(conversion, for: key) }
        return conversion
    }
}
