import Foundation

/// The renderer of GTK, with the value of `GSK_RENDERER`.
enum ViewRenderer: String, CaseIterable {
    case cairo
    case openGL = "gl"

    /// The name in the tables.
    var name: String { self == .cairo ? "Cairo" : "GL" }
}

/// A gallery that runs on a display and writes lines with events.
final class ViewProcess {
    /// The start time, in seconds since 1970.
    let started: Double
    private let process = Process()
    private let output = Pipe()
    private var rest = Data()

    init(_ command: [String], on display: VirtualDisplay, drawnBy renderer: ViewRenderer) throws {
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = display.name
        environment["GDK_BACKEND"] = "x11"
        environment["GSK_RENDERER"] = renderer.rawValue
        // Mesa's software renderer, independent of graphics cards.
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        environment["GTK_A11Y"] = "none"
        process.environment = environment
        process.standardOutput = output
        let descriptor = output.fileHandleForReading.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        started = Date().timeIntervalSince1970
        try process.run()
    }

    deinit { end() }

    func end() {
        guard process.isRunning else { return }
        // SIGTERM may be blocked in a process that Foundation starts.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }

    /// Returns the events since the last call; does not wait.
    func events() throws -> [ViewEvent] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += Data(buffer.prefix(count))
        }
        var events: [ViewEvent] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<end]
            rest = Data(rest[(end + 1)...])
            if line.starts(with: Data("BENCH ".utf8)) {
                events.append(try JSONDecoder().decode(ViewEvent.self, from: line.dropFirst(6)))
            }
        }
        return events
    }

    /// The processor time in seconds, accurate to a hundredth.
    var processorTime: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return 0 }
        let fields = text[name...].split(separator: " ")
        return fields[12...13].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory in bytes, including its share of shared memory.
    var memory: Double {
        let path = "/proc/\(process.processIdentifier)/smaps_rollup"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return kilobytes * 1024
    }
}

/// An event that a gallery reports.
struct ViewEvent: Decodable {
    var event: String
    var t: Double
    /// The times of the frames in a pass.
    var frames: [Double]?
}
