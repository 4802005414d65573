#if HEIF
import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("HEIC: headers without libheif")
struct HEIFQuickHeaderTests {
    private static func quick(_ file: Data) -> ImageHeader? { HEIFQuickHeader.read(file.span) }

    @Test(
        "say what libheif says: size after turning, alpha, bits, of a picture with a thumbnail too",
        arguments: [
            HEIFSamples.alpha, HEIFSamples.turned, HEIFSamples.thumbnail, HEIFSamples.deep,
        ])
    func samples(file: Data) throws {
        #expect(try #require(Self.quick(file)) == (try HEIFFile.header(of: file)))
    }

    @Test(
        "of a damaged file they say the same as libheif, or leave it to it",
        arguments: [
            HEIFSamples.alpha, HEIFSamples.turned, HEIFSamples.thumbnail, HEIFSamples.deep,
        ])
    func damaged(file: Data) {
        for changed in DamagedFiles.changed(file, count: 400) + DamagedFiles.cut(file) {
            // What only the library finds damaged, the decoder refuses.
            guard let quick = Self.quick(changed), let whole = try? HEIFFile.header(of: changed) else { continue }
            #expect(quick == whole)
        }
    }

    @Test("every file of the corpora", .enabled(if: Corpora.arePresent))
    func corpora() throws {
        var (told, all) = (0, 0)
        for file in Corpora.files(.decode, .optional, .fail, .either, .limit) where file.answer.format == "heic" {
            let data = try file.data()
            guard let whole = try? HEIFFile.header(of: data) else { continue }
            all += 1
            guard let header = Self.quick(data) else { continue }
            told += 1
            #expect(header == whole, "\(file.path)")
        }
        #expect(told * 10 > all * 7)
    }
}
#endif
