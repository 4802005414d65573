import Foundation

/// One of Python's image libraries, in a separate process that measures by its own clock.
final class PythonLibrary: Sendable {
    let name: String
    private let process: PythonProcess

    /// The libraries that Easel decodes with as well, by their C interfaces from Python: what is compared is the way to them.
    static let system = "same library, from Python"

    var place: Contestant.Place { process.place }

    /// Those that are here, and a word for each that is not.
    static func all() -> [PythonLibrary] {
        let packages: [(String, [PythonPackage])] = [
            ("Pillow", [.pillow]), ("pyvips", [.pyvips]), ("OpenCV", [.opencv]), ("imagecodecs", [.imagecodecs]),
            // The system's own, by its C interface.
            ("gdk-pixbuf", []), (system, []),
        ]
        return packages.compactMap { name, packages in
            Absence.orTell { try PythonLibrary(name, packages) }
        }
    }

    private init(_ name: String, _ packages: [PythonPackage]) throws {
        self.name = name
        process = try PythonProcess(
            for: name, script: "python-libraries", arguments: [name], packages: packages)
        // Nothing to do: it answers once the library is there.
        guard try measure("ready", 0, []) == [0] else { throw MissingPeer(name: name, reason: "it did not start.") }
    }

    /// Those that have taken a file's pixels for the works that follow. The system's libraries only decode.
    static func all(holding path: String) throws -> [PythonLibrary] {
        try all().filter { try $0.name != system && $0.measure("load", 1, [path]) == [0] }
    }

    /// What a work gives: nanoseconds, then what tells that it was done right. Empty where the library cannot do it.
    func measure(_ work: String, _ count: Int, _ arguments: [any Sendable]) throws -> [Double] {
        PythonProcess.numbers(try process.ask([work, count] + arguments))
    }
}
