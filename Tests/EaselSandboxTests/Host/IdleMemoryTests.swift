#if Sandbox
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

extension ProcessTests {
    @Suite("Sandbox: memory", .timeLimit(.minutes(2)))
    struct IdleMemoryTests {
        @Test(
            "an idle worker that has decoded a large image returns its memory to the system",
            .enabled(if: ProcessMemory.canBeRead, "this user cannot read the memory of other processes"))
        func idleWorkers() async throws {
            try await until { ownWorkers().isEmpty }
            let sandbox = try Sandboxes.standard { $0.maximumWorkers = 1 }
            let coder = SandboxedStillDecoding(decoder: WebPCoder(), sandbox: sandbox)
            let data = try WebPCoder().encode(TestImage.gradient(1_200, 900).image(), EncodeOptions())
            // The memory for results is released with larger images only.
            _ = try coder.decode(data, DecodeOptions(targetSize: .pixels(width: 300, height: 225)))
            let process = try #require(ownWorkers().first)
            let busy = try #require(ProcessMemory(process))
            try await until { ProcessMemory(process).map { $0.own < 3 << 20 } ?? false }
            let worker = try #require(ProcessMemory(process))
            let zygote = try #require(parent(of: process).flatMap(ProcessMemory.init))
            #expect(zygote.total < 20 << 20)
            print("memory: worker \(busy), idle \(worker); zygote \(zygote)")
        }
    }
}

/// The memory that a process uses.
struct ProcessMemory {
    /// All memory, of which memory that several processes use counts in equal parts (PSS).
    let total: Int
    /// The same without the files of programs and libraries, which all workers share, and which can be read again.
    let own: Int

    /// Whether this user can read the memory of workers, which forbid it to their own user.
    static let canBeRead: Bool = {
        guard let sandbox = try? Sandboxes.standard() else { return false }
        return withExtendedLifetime(sandbox) { ownWorkers().contains { ProcessMemory($0) != nil } }
    }()

    init?(_ process: Int32) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8),
            case let fields = text.split(separator: "\n").map({ $0.split(separator: " ") })
        else { return nil }
        func bytes(_ name: String) -> Int? {
            fields.first { $0.first == "\(name):" }.flatMap { $0.dropFirst().first }.flatMap { Int($0) }.map {
                $0 << 10
            }
        }
        guard let total = bytes("Pss"), let anonymous = bytes("Pss_Anon"), let shared = bytes("Pss_Shmem") else {
            return nil
        }
        self.total = total
        own = anonymous + shared
    }
}
#endif
