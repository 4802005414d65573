#if Sandbox
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselSandbox

extension ProcessTests {
    /// `WORKERS=1 make fuzz-files` runs these tests with all files, or those of one folder, and all damage.
    @Suite("Sandbox: damaged files", .timeLimit(.minutes(180)))
    struct DamagedFilesTests {
        @Test(
            "damaged files of a format crash no worker, exceed no limit, and leak no process or descriptor",
            .enabled(if: !Self.folders.isEmpty), arguments: Self.folders)
        func damage(_ folder: URL) async throws {
            let before = descriptorCount()
            let statistics = try await WorkerPool.pixels.run { @Sendable () throws(ImageError) in
                let sandbox = try Sandbox { $0.program = Sandboxes.decoder }
                let coders = CoderRegistry.standard()
                coders.isolate(nil, in: sandbox)
                for file in Self.files(folder) {
                    guard let data = try? Data(contentsOf: file) else { continue }
                    for cut in DamagedFiles.cut(data, places: Self.cutCount) { Self.decode(cut, coders) }
                    for round in 0..<(data.isEmpty ? 0 : Self.changeCount) {
                        Self.decode(DamagedFiles.changed(data, round: round), coders)
                    }
                }
                return sandbox.statistics
            }
            #expect(statistics.crashesByCause == [:])
            #expect(statistics.timeouts == 0)
            #expect(statistics.unprotected == 0)
            try await until { descriptorCount() <= before }
            try await until { workerProcesses().isEmpty }
            let name = folder.lastPathComponent
            if Self.isComplete { print("\(name): \(statistics.jobs) jobs, \(statistics.startedWorkers) workers") }
        }

        private static func decode(_ data: Data, _ coders: CoderRegistry) {
            // The signature may be damaged.
            guard let decoder = try? coders.decoder(for: data) else { return }
            _ = try? decoder.header(of: data)
            _ = try? (decoder as? any MetadataReading)?.metadata(of: data)
            _ = try? decoder.decode(data, DecodeOptions())
            _ = try? decoder.decode(data, DecodeOptions(targetSize: .pixels(width: 90, height: 90), depth: .sixteen))
            _ = try? decoder.decode(data, DecodeOptions(allowsPartial: true))
            guard let animation = try? (decoder as? any AnimationDecoding)?.makeAnimationDecoder(data, DecodeOptions())
            else { return }
            for index in 0..<min(3, animation.header.frameCount) { _ = try? animation.frame(index) { false } }
        }

        private static let environment = ProcessInfo.processInfo.environment
        /// Whether all files are tested, with all damage, instead of one for each format with little.
        private static let isComplete = environment["EASEL_DAMAGED_FILES"] != nil
        /// The number of files of each format, and of damaged forms of each. Both can be set, for a quick run.
        private static let fileCount = environment["EASEL_DAMAGED_FILES"].flatMap(Int.init) ?? (isComplete ? .max : 1)
        private static let inputCount =
            environment["EASEL_DAMAGED_INPUTS"].flatMap(Int.init) ?? (isComplete ? 2_050 : 16)
        private static let cutCount = max(1, inputCount / 41)
        private static let changeCount = inputCount - cutCount

        private static let folders: [URL] = {
            let only = environment["EASEL_DAMAGED_FOLDER"] ?? ""
            let names = (try? FileManager.default.contentsOfDirectory(atPath: Sandboxes.corpora.path)) ?? []
            return names.filter { (only.isEmpty || $0 == only) && $0 != "LICENSES" && !$0.contains(".") }.sorted()
                .map { Sandboxes.corpora.appending(path: $0) }
        }()

        /// The files of a format in the corpora, and in the seeds of the fuzzer.
        private static func files(_ folder: URL) -> [URL] {
            let seeds = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fuzzing/Seeds/\(folder.lastPathComponent)")
            return [folder, seeds].flatMap { folder in
                let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                return (files ?? []).filter { !["tsv", "json", "md"].contains($0.pathExtension) }
                    .sorted { $0.path < $1.path }.prefix(fileCount)
            }
        }
    }
}
#endif
