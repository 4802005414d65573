import ArgumentParser
import EaselCore

/// What pictures a command is about.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to load: http, https, file and data URLs, paths, or - for standard input.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Read further inputs from this file, one a line.", valueName: "file"))
    var from: [String] = []

    func validate() throws {
        if inputs.isEmpty, from.isEmpty {
            throw ValidationError("Name a picture: a URL, a path, or - for standard input.")
        }
    }

    /// All inputs, in order.
    ///
    /// - Throws: `ImageError.unreadable` for a `--from` file that cannot be read.
    func all() throws(ImageError) -> [String] {
        var all = inputs
        for path in from { all += try InputList.read(path) }
        return all
    }
}
