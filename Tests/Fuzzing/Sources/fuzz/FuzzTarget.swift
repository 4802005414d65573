@testable import EaselCodecs
@testable import EaselCore
import Foundation

/// A function that reads untrusted bytes.
struct FuzzTarget: Sendable {
    let name: String
    /// Reads the bytes. Returns `false` if they do not begin like data of the target's kind.
    let run: @Sendable (Data) -> Bool

    /// The coders by the names of their formats, and the parsers.
    static let all = ofFiles + ofText

    /// The readers of image files. Each of them declines files of other kinds.
    static let ofFiles = coders + parsers

    init(_ name: String, run: @escaping @Sendable (Data) -> Bool) {
        self.name = name
        self.run = run
    }

    init?(named name: String) {
        guard let target = Self.all.first(where: { $0.name == name }) else { return nil }
        self = target
    }

    private static var coders: [FuzzTarget] {
        let registry = CoderRegistry.standard()
        return registry.readableFormats.map { format in
            FuzzTarget(format.name) { data in
                guard let decoder = try? registry.decoder(for: data), decoder.format == format else { return false }
                CoderFuzzer(decoder: decoder).run(format == .png ? PNGChecksums.repair(data) : data)
                return true
            }
        }
    }

    private static let parsers = [
        FuzzTarget("sniff") { data in
            _ = data.withUnsafeBytes(ImageFormat.sniff)
            return true
        },
        FuzzTarget("exif") { data in
            _ = ImageOrientation(exif: data.span)
            _ = ColorDescription(exif: data.span)
            return true
        },
        FuzzTarget("gain-map") { data in
            let map = (try? JPEGMetadata(data.span)).flatMap { JPEGGainMap(in: data.span, $0) }
            let parameters = [GainMap.Parameters(iso: data.span), GainMap.Parameters(ultraHDR: data.span)]
            for parameters in parameters + [map?.parameters] {
                guard let parameters else { continue }
                let factors = (0..<3).flatMap { parameters.factors(channel: $0, weight: 1) }
                precondition(factors.allSatisfy(\.isFinite), "A factor is not finite.")
            }
            if let map { precondition(map.range.upperBound <= data.count, "The map is outside of the file.") }
            _ = AppleGainMap.headroom(exif: data.span)
            return true
        },
        FuzzTarget("icc") { data in
            _ = ICCProfileName.read(from: data.span)
            for components in [ICCProfile.Components.gray, .rgb, .cmyk] {
                _ = ICCProfile(data, for: components)?.codePoints
            }
            return true
        },
        FuzzTarget("boxes") { data in
            _ = data.span.largestAnnouncedSize()
            return true
        },
        FuzzTarget("png-chunks") { data in
            guard let file = try? PNGFile(PNGChecksums.repair(data).span) else { return false }
            _ = file.colors.description(in: data.span, isGray: false)
            _ = file.colors.profileName(in: data.span)
            return true
        },
        FuzzTarget("jpeg-reader", run: JPEGReaderFuzzer.run),
        FuzzTarget("metadata", run: MetadataFuzzer.run),
    ]

    private static let ofText = [
        FuzzTarget("http") { data in
            let text = String(decoding: data, as: UTF8.self)
            _ = CacheDirectives(text)
            _ = EntityTag(text)
            _ = HTTPDate.parse(text, now: Date(timeIntervalSince1970: 1_800_000_000))
            _ = Vary(description: text).matches(HTTPHeaders())
            return true
        },
        FuzzTarget("cache-record") { data in
            _ = DiskRecord([UInt8](data))
            _ = DiskRecord.readTrailer(in: data)
            return true
        },
        FuzzTarget("data-url") { data in
            _ = try? DataURL.content(of: "data:" + String(decoding: data, as: UTF8.self))
            return true
        },
        FuzzTarget("placeholder") { data in
            _ = try? BlurHash(String(decoding: data, as: UTF8.self))?.image()
            _ = try? ThumbHash(data)?.image()
            return true
        },
    ]
}
