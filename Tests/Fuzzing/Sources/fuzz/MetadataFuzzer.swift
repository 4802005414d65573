@testable import EaselCodecs
@testable import EaselCore
import Foundation

/// A fuzzer that reads the metadata of a file and writes it to another, which must return it unchanged.
enum MetadataFuzzer {
    private static let coders: [any MetadataReading] = [JPEGCoder(), PNGCoder(), WebPCoder()]

    static func run(_ data: Data) -> Bool {
        var isMetadata = false
        for coder in coders {
            let file = coder.format == .png ? PNGChecksums.repair(data) : data
            guard let metadata = try? coder.metadata(of: file) else { continue }
            isMetadata = true
            check(metadata)
        }
        return isMetadata
    }

    private static func check(_ metadata: FileMetadata) {
        var options = EncodeOptions()
        options.metadata = metadata
        guard let written = options.metadataToWrite else { return }
        if let exif = written.exif, exif.count == metadata.exif?.count {
            let orientation = ImageOrientation(exif: exif.span)
            precondition(orientation == .up, "The written orientation is not upright.")
        } else {
            precondition(metadata.exif == nil, "The length of the EXIF has changed.")
        }
        guard let jpeg = try? JPEGMetadata.insert(written, into: Data([0xFF, 0xD8, 0xFF, 0xDA])),
            let read = try? JPEGCoder().metadata(of: jpeg)
        else { return }
        precondition(
            read.exif == written.exif.map { Data($0) } && read.xmp == written.xmp.map { Data($0) },
            "The written metadata has changed.")
    }
}
