@testable import EaselCodecs
@testable import EaselCore
import Foundation

/// Reads the metadata of a file and writes it to another, which must return it unchanged.
enum MetadataFuzzer {
    private static let coders: [any MetadataReading] = [JPEGCoder(), PNGCoder(), WebPCoder()]

    static func run(_ data: Data) -> Bool {
        var isMetadata = false
        for coder in coders {
            let file = coder.format == .png ? PNGChecksums.repaired(data) : data
            guard let metadata = try? coder.metadata(of: file) else { continue }
            isMetadata = true
            check(metadata)
        }
        return isMetadata
    }

    private static func check(_ metadata: FileMetadata) {
        var options = EncodeOptions()
        options.metadata = metadata
        guard let kept = options.metadataToWrite else { return }
        if let exif = kept.exif, exif.count == metadata.exif?.count {
            let orientation = ImageOrientation(exif: exif.span)
            precondition(orientation == .up, "What is written is not upright.")
        } else {
            precondition(metadata.exif == nil, "EXIF has got another length.")
        }
        guard let jpeg = try? JPEGSegments.insert(kept, into: Data([0xFF, 0xD8, 0xFF, 0xDA])),
            let read = try? JPEGCoder().metadata(of: jpeg)
        else { return }
        precondition(
            read.exif == kept.exif.map { Data($0) } && read.xmp == kept.xmp.map { Data($0) }, "It has changed.")
    }
}
