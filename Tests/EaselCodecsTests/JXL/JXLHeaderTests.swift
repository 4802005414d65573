#if JXL
import CJXL
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

@Suite("JPEG XL: headers")
struct JXLHeaderTests {
    private let coder = JXLCoder()

    @Test(
        "the size and alpha are read for every encoding of a size",
        arguments: [(8, 8), (256, 256), (257, 300), (300, 225), (600, 40), (640, 360), (1000, 500), (9000, 3)])
    func sizes(width: Int, height: Int) throws {
        for alpha: UInt8 in [255, 100] {
            let pixels = try PixelBuffer.drawn(width, height, isOpaque: alpha == 255) { _, _ in
                Pixel(blue: 10, green: 20, red: 30, alpha: alpha)
            }
            let header = try coder.header(of: Files.jxl(pixels, quality: 0.9))
            #expect(header.storedSize == PixelSize(width, height))
            #expect(header.hasAlpha == (alpha < 255))
            #expect(header.bitDepth == 8)
        }
    }

    @Test("a partial animation never has more frames than the whole file", arguments: JXLSamples.animations)
    func animations(file: Data) throws {
        let header = try coder.header(of: file)
        #expect(header.frameCount > 1)
        #expect(header.frameDurations.count == header.frameCount)
        for length in stride(from: 0, to: file.count, by: 7) {
            let beginning = try? coder.header(of: file.prefix(length))
            #expect(beginning?.frameCount ?? 0 <= header.frameCount)
        }
    }

    @Test("the profile name is that of the profile, and the orientation is applied")
    func profiles() throws {
        let long = Profiles.named("Name", after: 40_000)
        for profile in [
            Profiles.matrix, Profiles.secondVersion, Profiles.table(inks: false), Profiles.named(nil), long,
        ] {
            let file = try JXLFiles.file(profile: profile, orientation: JXL_ORIENT_ROTATE_90_CW)
            let header = try coder.header(of: file)
            #expect(header.profileName == ICCProfileName.read(from: profile.span))
            #expect(header.storedSize == PixelSize(7, 9))
            #expect(header.orientation == .up)
        }
    }

    @Test("the name of a gray profile is read")
    func grayProfiles() throws {
        for profile in [Profiles.gray(exponent: 1.7), Profiles.sampledGray(1024)] {
            let file = try JXLFiles.file(profile: profile, isGray: true)
            #expect(try coder.header(of: file).profileName == ICCProfileName.read(from: profile.span))
        }
    }

    @Test(
        "encoded colors have the same name with all versions of libjxl",
        arguments: [
            ("RGB_D65_DCI_Per_SRG", JXLColorNumbers(space: 0, white: 1, primaries: 11, curve: .number(13), intent: 0)),
            ("RGB_EER_202_Sat_PeQ", JXLColorNumbers(space: 0, white: 10, primaries: 9, curve: .number(16), intent: 2)),
            (
                "RGB_D65_SRG_Rel_g0.45455",
                JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .power(4_545_500), intent: 1)
            ),
            ("Gra_DCI_Abs_Lin", JXLColorNumbers(space: 1, white: 11, primaries: 1, curve: .number(8), intent: 3)),
            ("sRGB", JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .number(13), intent: 3)),
            (nil, JXLColorNumbers(space: 0, white: 1, primaries: 2, curve: .number(13), intent: 0)),
            (nil, JXLColorNumbers(space: 1, white: 1, primaries: 1, curve: .number(2), intent: 0)),
        ])
    func colorNames(name: String?, numbers: JXLColorNumbers) {
        #expect(numbers.name == name)
    }
}
#endif
