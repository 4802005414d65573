import Foundation

/// Reads all that a file can be damaged to with everything that reads files. What crashes ends the process, and so does what
/// takes over two seconds of the processor's time, or stands still for twenty; the number of the input stands in a file
/// beside then, for whoever finds the process dead.
struct DamageRun {
    private let damaged: DamagedFile
    private let place: FileHandle

    /// - Throws: What Foundation throws where a file cannot be read or written.
    init(of file: URL, place: URL) throws {
        damaged = DamagedFile(file: try Data(contentsOf: file))
        try Data().write(to: place)
        self.place = try FileHandle(forWritingTo: place)
    }

    /// All of them, or the one that is to be looked at again. Tells how many there were, what the slowest took and was, and
    /// the most memory that the process had.
    func run(only number: Int?) throws -> String {
        let numbers = number.map { $0..<($0 + 1) } ?? damaged.numbers
        var slowest = (seconds: 0.0, number: 0)
        for number in numbers {
            try place.seek(toOffset: 0)
            try place.write(contentsOf: Data("\(number)\n".utf8))
            let seconds = time(of: damaged[number])
            precondition(seconds < 2, "It takes \(seconds) s.")
            if seconds > slowest.seconds { slowest = (seconds, number) }
        }
        var usage = rusage()
        // RUSAGE_SELF, which is 0 everywhere, but of another type on each platform.
        getrusage(0, &usage)
        let milliseconds = Int(slowest.seconds * 1_000)
        return "\(numbers.count) inputs, slowest \(milliseconds) ms (\(slowest.number)), \(usage.ru_maxrss / 1_024) MB"
    }

    /// The processor's, which others that use it do not change.
    private func time(of input: Data) -> Double {
        let start = clock()
        alarm(20)
        for reader in FuzzTarget.ofFiles { _ = reader.run(input) }
        alarm(0)
        return Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }
}
