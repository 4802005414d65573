import Foundation
import Testing

/// The image files with known results, next to the package or in the folder `EASEL_CORPORA`.
enum Corpora {
    /// The folder. If the files are missing, tests with them are skipped.
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["EASEL_CORPORA"] { return URL(filePath: path) }
        var package = URL(filePath: #filePath)
        while package.path.count > 1 {
            package.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: package.appending(path: "Package.swift").path) { break }
        }
        return package.deletingLastPathComponent().appending(path: "shared/corpora")
    }()

    static var arePresent: Bool {
        answers.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    static func readExpectations() throws -> [Expectation] {
        let list = try JSONDecoder().decode(ExpectationList.self, from: Data(contentsOf: #require(answers)))
        return list.files.map { path, answer in Expectation(path: path, answer: answer) }.sorted { $0.path < $1.path }
    }

    private static let answers = folder?.appending(path: "expected.json")

    /// Empty if the expectations cannot be read, for which there is a separate test.
    private static let expectations = (try? readExpectations()) ?? []

    /// Returns the files of formats with enabled coders that have one of the expected outcomes.
    static func files(_ outcomes: Expectation.Outcome...) -> [Expectation] {
        expectations.filter {
            formats.contains($0.answer.format) && outcomes.contains($0.answer.expect)
        }
    }

    private static let formats: Set<String> = {
        var formats: Set<String> = []
        formats.formUnion(["jpeg", "png", "apng", "gif", "webp", "bmp", "ico", "misc"])
        #if AVIF
        formats.insert("avif")
        #endif
        #if HEIF
        formats.insert("heic")
        #endif
        #if JXL
        formats.insert("jxl")
        #endif
        #if TIFF
        formats.insert("tiff")
        #endif
        #if SVG
        formats.insert("svg")
        #endif
        return formats
    }()
}

/// A file and its expected result.
struct Expectation: CustomTestStringConvertible {
    enum Outcome: String, Decodable {
        case decode, optional, fail, either, limit
    }

    struct Answer: Decodable {
        var format: String
        var expect: Outcome
        var width: Int?
        var height: Int?
        var orientation: Int?
        var frames: Int?
        var loop: Int?
        var durations_ms: [Double]?
        var has_alpha: Bool?
        var icc: Profile?
        var tolerance: Tolerance?
        var reference: Reading?
        var alternatives: [Reading]?
        /// The reading with the embedded profile applied, if that changes the colors.
        var srgb: Reading?

        /// The orientation in the header. The libraries of these formats apply the orientation themselves.
        var headerOrientation: Int { ["avif", "heic", "jxl"].contains(format) ? 1 : orientation ?? 1 }
    }

    struct Profile: Decodable {
        var description: String?
    }

    struct Tolerance: Decodable {
        var grid: Double
        var exact_sha256: Bool
    }

    struct Reading: Decodable {
        struct Frame: Decodable {
            var index: Int
            var sha256_a0: String
            var grid: [Double]
        }
        var frames: [Frame]
    }

    var path: String
    var answer: Answer

    var testDescription: String { path }

    func data() throws -> Data {
        try Data(contentsOf: #require(Corpora.folder).appending(path: path))
    }
}

private struct ExpectationList: Decodable {
    var files: [String: Expectation.Answer]
}
