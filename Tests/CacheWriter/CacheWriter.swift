import EaselCore
import EaselFoundation

/// A separate process for tests of the disk cache to run, restrict and kill.
///
///     cache-writer FOLDER LIMIT STEP...
///
/// Runs the steps in order, and prints the result of each on a line.
@main
struct CacheWriter {
    static func main() async {
        var words = CommandLine.arguments.dropFirst()
        guard let folder = words.popFirst(), let limit = words.popFirst().flatMap({ Int($0) }) else { usage() }
        var steps: [Step] = []
        while !words.isEmpty {
            guard let step = Step(&words) else { usage() }
            steps.append(step)
        }
        // The main queue opens a file when it gets its first job, and ends the process if that fails.
        await Task { @MainActor in }.value
        var run = WriterRun(cache: DiskCache(folder: folder, configuration: .init(maximumBytes: ByteCount(limit))))
        for step in steps { printLine(await run.take(step)) }
    }

    /// Prints a line without buffering, so that a killed process has reported what it did.
    static func printLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // One call, so that lines of several threads do not mix.
        _ = write(1, bytes, bytes.count)
    }

    private static func usage() -> Never {
        printLine("usage: cache-writer FOLDER LIMIT STEP...")
        exit(2)
    }
}
