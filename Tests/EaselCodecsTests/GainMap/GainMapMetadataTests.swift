@testable import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Gain maps: metadata")
struct GainMapMetadataTests {
    private func iso(_ metadata: GainMapBinary) -> GainMap.Parameters? {
        GainMap.Parameters(iso: metadata.bytes.span)
    }

    private func ultraHDR(_ text: String) -> GainMap.Parameters? { GainMap.Parameters(ultraHDR: Array(text.utf8).span) }

    @Test("binary metadata of one channel applies to all", arguments: [false, true])
    func oneChannel(hasCommonDenominator: Bool) {
        var metadata = GainMapBinary(headrooms: [500, 3000], channels: [[-500, 2500, 2200, 10, 20]])
        metadata.hasCommonDenominator = hasCommonDenominator
        let expected = GainMap.Parameters(
            minimum: SIMD3(repeating: -0.5), maximum: SIMD3(repeating: 2.5), gamma: SIMD3(repeating: 2.2),
            baseOffset: SIMD3(repeating: 0.01), alternateOffset: SIMD3(repeating: 0.02), baseHeadroom: 0.5,
            alternateHeadroom: 3)
        #expect(iso(metadata) == expected)
    }

    @Test("binary metadata of three channels is read for each, and the flag of the primaries too")
    func threeChannels() {
        let metadata = GainMapBinary(
            flags: 0, channels: [[0, 1000, 1000, 0, 0], [0, 2000, 1000, 0, 0], [-1000, 3000, 500, 1, 2]])
        let parameters = iso(metadata)
        #expect(parameters?.maximum == SIMD3(1, 2, 3))
        #expect(parameters?.minimum == SIMD3(0, 0, -1))
        #expect(parameters?.gamma == SIMD3(1, 1, 0.5))
        #expect(parameters?.usesBaseColors == false)
    }

    @Test(
        "binary metadata that is not usable is ignored",
        arguments: [
            GainMapBinary(version: 1), GainMapBinary(denominator: 0),
            GainMapBinary(denominator: 0, hasCommonDenominator: true),
            GainMapBinary(channels: [[2000, 1000, 1000, 0, 0]]), GainMapBinary(channels: [[0, 1000, 0, 0, 0]]),
            GainMapBinary(headrooms: [0, 1_000_000]), GainMapBinary(channels: [[0, 1_000_000, 1000, 0, 0]]),
            GainMapBinary(channels: [[0, 1000, 1000, -100_000, 0]]),
        ])
    func unusable(metadata: GainMapBinary) {
        #expect(iso(metadata) == nil)
    }

    @Test("truncated binary metadata is ignored")
    func truncated() {
        let bytes = GainMapBinary(channels: Array(repeating: [0, 1000, 1000, 0, 0], count: 3)).bytes
        for count in bytes.indices { #expect(GainMap.Parameters(iso: Array(bytes.prefix(count)).span) == nil) }
        #expect(GainMap.Parameters(iso: bytes.span) != nil)
    }

    @Test("XMP has attributes, elements and lists; missing ones have the defaults of the format")
    func xmp() {
        let parameters = ultraHDR(
            """
            <rdf:Description hdrgm:Version="1.0" hdrgm:GainMapMin = '-0.25' hdrgm:HDRCapacityMax="3.5"
              hdrgm:BaseRenditionIsHDR="False">
              <hdrgm:GainMapMax> <rdf:Seq> <rdf:li>1</rdf:li> <rdf:li>2.5</rdf:li>\n<rdf:li>3</rdf:li> </rdf:Seq>
              </hdrgm:GainMapMax><hdrgm:Gamma>1.5</hdrgm:Gamma>
            </rdf:Description>
            """)
        let expected = GainMap.Parameters(
            minimum: SIMD3(repeating: -0.25), maximum: SIMD3(1, 2.5, 3), gamma: SIMD3(repeating: 1.5),
            alternateHeadroom: 3.5)
        #expect(parameters == expected)
    }

    @Test(
        "XMP that is not usable is ignored",
        arguments: [
            "", "hdrgm:Version=\"1.0\"", "hdrgm:GainMapMax=\"1\" hdrgm:HDRCapacityMax=\"1\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"nan\" hdrgm:HDRCapacityMax=\"1\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"inf\" hdrgm:HDRCapacityMax=\"1\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"1\" hdrgm:HDRCapacityMax=\"1",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"1\" hdrgm:HDRCapacityMax=\"1\" hdrgm:Gamma=\"0\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"1\" hdrgm:HDRCapacityMax=\"1\" hdrgm:GainMapMin=\"2\"",
            "hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"1\" hdrgm:HDRCapacityMax=\"1\" hdrgm:BaseRenditionIsHDR=\"True\"",
            "hdrgm:Version=\"1.0\" hdrgm:HDRCapacityMax=\"1\"><hdrgm:GainMapMax><li>1</li><li>2</li></hdrgm:GainMapMax>",
            "hdrgm:Version=\"1.0\" hdrgm:HDRCapacityMax=\"1\"><hdrgm:GainMapMax>1",
        ])
    func unusableXMP(text: String) {
        #expect(ultraHDR(text) == nil)
    }

    @Test(
        "the headroom of Apple's maps is calculated from the maker note",
        arguments: [(0, 0, 1.8), (500, 5, 1.7), (999, 1000, 1.5), (1000, 0, 3), (1500, 10, 2.3), (2000, 1000, 2)])
    func maker(brightness: Int, gain: Int, stops: Double) throws {
        let exif = AppleNote.exif(brightness: brightness, gain: gain)
        let result = AppleGainMap.headroom(exif: exif.span)
        let headroom = try #require(result)
        #expect(abs(headroom - pow(2, stops)) < 1e-9)
        for count in exif.indices { _ = AppleGainMap.headroom(exif: Array(exif.prefix(count)).span) }
    }

    @Test("the weight grows from the headroom of the base image to that of the HDR image")
    func weight() {
        let parameters = GainMap.Parameters(maximum: .one, baseHeadroom: 1, alternateHeadroom: 3)
        #expect(parameters.weight(for: nil) == 1)
        #expect(
            [0, 1, 2, 4, 8, 100, .infinity, .nan].map { parameters.weight(for: $0) } == [0, 0, 0, 0.5, 1, 1, 1, 0])
        let reversed = GainMap.Parameters(maximum: .one, baseHeadroom: 3, alternateHeadroom: 0)
        #expect(reversed.weight(for: nil) == 0)
    }
}
