import Foundation

/// The options of the command line.
struct Options {
    var group: String?
    /// Only rows whose name contains this text.
    var filter: String?
    var rounds = Scale.pick(5, quick: 2)
    var output: String?
    var plots: String?
    var profile: String?
    var seconds = 5.0

    private static let usage = """
        usage: benchmark [--group NAME] [--filter TEXT] [--rounds N] [--quick] [--output FILE] [--plots FOLDER]
               benchmark --profile CASE [--seconds N]
        groups: \(Group.names)
        cases: \(Profile.names)
        """

    init(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let option = arguments.next() {
            // Handled by `Scale`.
            if option == "--quick" { continue }
            guard let value = arguments.next() else { Self.fail("\(option) needs a value") }
            switch option {
            case "--group": group = value
            case "--filter": filter = value
            case "--rounds":
                guard let number = Int(value), number > 0 else { Self.fail("\(value) is not a number of rounds") }
                rounds = number
            case "--output": output = value
            case "--plots": plots = value
            case "--profile": profile = value
            case "--seconds":
                guard let number = Double(value), number > 0 else { Self.fail("\(value) is not a number of seconds") }
                seconds = number
            default: Self.fail("no option \(option)")
            }
        }
    }

    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("benchmark: \(message)\n\(usage)\n".utf8))
        exit(2)
    }
}
