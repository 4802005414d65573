#if JXL
import CJXL
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

/// The compressed profile of a JPEG XL says without libjxl what it says with it.
@Suite("JPEG XL profiles")
struct JXLProfileTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var profile: [UInt8]
        var isGray = false

        var testDescription: String { name }
    }

    static let samples: [Sample] = [
        Sample(name: "a matrix", profile: Profiles.matrix),
        Sample(name: "a matrix of version 2", profile: Profiles.secondVersion),
        Sample(name: "gray", profile: Profiles.gray(exponent: 1.7), isGray: true),
        Sample(name: "a gray curve of 1,024 places", profile: Profiles.sampledGray(1024), isGray: true),
        Sample(name: "a table", profile: Profiles.table(inks: false)),
        Sample(name: "a long name", profile: Profiles.named(String(repeating: "Long name é ", count: 80))),
        Sample(name: "no name", profile: Profiles.named(nil)),
        Sample(name: "a long text before its name", profile: Profiles.named("Behind", after: 4000)),
    ]

    @Test("all of its bytes are libjxl's", arguments: samples)
    func wholeBytes(sample: Sample) throws {
        let file = try JXLFiles.file(profile: sample.profile, isGray: sample.isGray)
        #expect(try #require(JXLFiles.profile(in: file)) == sample.profile)
        #expect(try #require(Self.whole(file)) == sample.profile)
    }

    @Test("the header names it as libjxl's profile does, and is otherwise the same", arguments: samples)
    func headers(sample: Sample) throws {
        for isFree in [false, true] {
            let file = try JXLFiles.file(
                profile: sample.profile, isGray: sample.isGray, isFree: isFree, orientation: JXL_ORIENT_ROTATE_90_CW)
            let header = try #require(Self.quick(file))
            #expect(header == (try JXLFile.header(of: file)))
            if !isFree { #expect(header.profileName == ICCProfileName.read(from: sample.profile.span)) }
        }
    }

    @Test("it is read no further than to its name")
    func stopsEarly() throws {
        let file = try JXLFiles.file(profile: Profiles.named("Early", before: 5000))
        var count = 0
        _ = Self.quick(file) { reader in
            let profile = JXLProfile.named(reader)
            count = profile?.count ?? 0
            return profile
        }
        #expect(128..<1000 ~= count)
    }

    @Test("a file that is cut off has no other name", arguments: samples)
    func cut(sample: Sample) throws {
        let file = try JXLFiles.file(profile: sample.profile, isGray: sample.isGray)
        let name = ICCProfileName.read(from: sample.profile.span)
        for length in stride(from: 0, to: file.count, by: max(1, file.count / 300)) {
            guard let header = Self.quick(file.prefix(length)) else { continue }
            #expect(header.profileName == name)
        }
    }

    @Test("a changed file has no other name than libjxl finds, where that takes it", arguments: samples)
    func changed(sample: Sample) throws {
        let file = try JXLFiles.file(profile: sample.profile, isGray: sample.isGray)
        for changed in DamagedFiles.changed(file, count: 150) {
            guard let header = Self.quick(changed), let expected = try? JXLFile.header(of: changed) else { continue }
            #expect(header == expected)
        }
    }

    @Test("one that is longer than memory should be spent on is named where its name stands before the rest")
    func longProfiles() throws {
        let early = try JXLFiles.file(profile: Profiles.named("Before", before: 40_000))
        #expect(Self.quick(early)?.profileName == "Before")
        #expect(Self.whole(early) == nil)
        let late = try JXLFiles.file(profile: Profiles.named("Behind", after: 40_000))
        #expect(Self.quick(late) == nil)
        #expect(try JXLFile.header(of: late).profileName == "Behind")
    }

    @Test("every JPEG XL of the corpora", .enabled(if: Corpora.arePresent))
    func corpora() throws {
        var count = 0
        for file in Corpora.files(.decode, .optional, .fail, .either, .limit) where file.answer.format == "jxl" {
            let data = try file.data()
            guard let profile = JXLFiles.profile(in: data) else { continue }
            count += 1
            #expect(Self.quick(data) == (try JXLFile.header(of: data)), "\(file.path)")
            if let whole = Self.whole(data) { #expect(whole == profile, "\(file.path)") }
        }
        #expect(count > 0)
    }

    private static func quick(
        _ file: Data, _ readProfile: (JXLBitReader) -> [UInt8]? = JXLProfile.named
    ) -> ImageHeader? {
        JXLQuickHeader.read(file.span, readProfile)
    }

    private static func whole(_ file: Data) -> [UInt8]? {
        var whole: [UInt8]?
        _ = Self.quick(file) { reader in
            whole = JXLProfile.whole(reader)
            return whole
        }
        return whole
    }
}
#endif
