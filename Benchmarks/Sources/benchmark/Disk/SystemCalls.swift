import CBenchmark
import Easel
import Foundation

/// The bare system calls of a store, on the calling thread, without a checksum, metadata encoding or counters. A lower
/// bound for any cache that stores the same data.
final class SystemCalls {
    static let name = "the system calls alone"

    private let folder: Int32

    init(folder path: String) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    deinit { close(folder) }

    /// Stores `file` under each name, with `attribute`.
    static func makeStoringContestant(_ names: [String], _ file: Data, attribute: Data) throws -> Contestant {
        var calls = SystemCalls(folder: try ScratchFolder.make("calls"))
        return Contestant(
            name, prepare: { calls = SystemCalls(folder: try ScratchFolder.make("calls")) },
            .timed { _ in names.count { calls.store(file, attribute, as: $0) } })
    }

    private func store(_ file: Data, _ attribute: Data, as name: String) -> Bool {
        file.withUnsafeBytes { file in
            attribute.withUnsafeBytes { attribute in
                benchmark_store(
                    folder, name, file.baseAddress, file.count, attribute.baseAddress, attribute.count) == 0
            }
        }
    }
}
