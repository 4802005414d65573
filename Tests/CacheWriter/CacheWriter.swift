import EaselCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process for the tests of the disk cache to run beside others, to starve and to kill.
///
///     cache-writer FOLDER LIMIT STEP...
///
/// takes one step after the other, and says in a line what came of each.
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
        // The main queue opens a file when it first gets a job, and ends the process where it cannot.
        await Task { @MainActor in }.value
        var run = WriterRun(cache: DiskCache(folder: folder, configuration: .init(maximumBytes: limit)))
        for step in steps { say(await run.take(step)) }
    }

    /// Says a line at once: who is killed has said what it did.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // One call, so that lines of several threads do not mix.
        _ = write(1, bytes, bytes.count)
    }

    private static func usage() -> Never {
        say("usage: cache-writer FOLDER LIMIT STEP...")
        exit(2)
    }
}
