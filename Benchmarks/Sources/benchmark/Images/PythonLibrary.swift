import Foundation

/// A Python image library, in a separate process that uses its own clock.
final class PythonLibrary: Sendable {
    let name: String
    private let process: PythonProcess

    /// The C libraries that Easel uses, called from Python, to measure what Easel adds to them.
    static let system = "same library, from Python"

    var place: Contestant.Place { process.place }

    /// Returns the installed libraries, and reports the others.
    static func all() -> [PythonLibrary] {
        let packages: [(String, [PythonPackage])] = [
            ("Pillow", [.pillow]), ("pyvips", [.pyvips]), ("OpenCV", [.opencv]), ("imagecodecs", [.imagecodecs]),
            // The system's, by its C interface.
            ("gdk-pixbuf", []), (system, []),
        ]
        return packages.compactMap { name, packages in
            Absence.makeOrReport { try PythonLibrary(name, packages) }
        }
    }

    private init(_ name: String, _ packages: [PythonPackage]) throws {
        self.name = name
        process = try PythonProcess(
            for: name, script: "python-libraries", arguments: [name], packages: packages)
        // Returns an empty result when the library is loaded.
        guard try measure("ready", 0, []) == [0] else { throw MissingPeer(name: name, reason: "it did not start.") }
    }

    /// Returns the libraries that have loaded a file's pixels. The system's libraries only decode.
    static func all(holding path: String) throws -> [PythonLibrary] {
        try all().filter { try $0.name != system && $0.measure("load", 1, [path]) == [0] }
    }

    /// Returns nanoseconds, followed by values that identify a correct result, or nothing if the library lacks the
    /// function.
    func measure(_ work: String, _ count: Int, _ arguments: [any Sendable]) throws -> [Double] {
        PythonProcess.numbers(try process.send([work, count] + arguments))
    }
}
