import Foundation

/// A run that reads damaged forms of a file with all readers of files. A crash ends the process, and so does an input
/// that takes over two seconds of processor time or twenty seconds in total. A separate file then contains the number
/// of the input.
struct DamageRun {
    private let damaged: DamagedFile
    private let progressFile: FileHandle

    /// - Throws: An error of Foundation if a file cannot be read or written.
    init(of file: URL, progressFile: URL) throws {
        damaged = DamagedFile(file: try Data(contentsOf: file))
        try Data().write(to: progressFile)
        self.progressFile = try FileHandle(forWritingTo: progressFile)
    }

    /// Runs all inputs, or only one. Returns their number, the slowest and its time, and the peak memory.
    func run(only number: Int?) throws -> String {
        let numbers = number.map { $0..<($0 + 1) } ?? damaged.numbers
        var slowest = (seconds: 0.0, number: 0)
        for number in numbers {
            try progressFile.seek(toOffset: 0)
            try progressFile.write(contentsOf: Data("\(number)\n".utf8))
            let seconds = time(of: damaged[number])
            precondition(seconds < 2, "Input \(number) takes \(seconds) s.")
            if seconds > slowest.seconds { slowest = (seconds, number) }
        }
        var usage = rusage()
        // RUSAGE_SELF is 0 everywhere, but its type depends on the platform.
        getrusage(0, &usage)
        let milliseconds = Int(slowest.seconds * 1_000)
        return "\(numbers.count) inputs, slowest \(milliseconds) ms (\(slowest.number)), \(usage.ru_maxrss / 1_024) MB"
    }

    /// Returns the processor time, which does not depend on other processes.
    private func time(of input: Data) -> Double {
        let start = clock()
        alarm(20)
        for reader in FuzzTarget.ofFiles { _ = reader.run(input) }
        alarm(0)
        return Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }
}
