#if Server
import ArgumentParser
import EaselServer

extension ServeCommand {
    /// The settings for the help. Their flags, variables and lines in a file are the same.
    static var settingsHelp: String {
        let lines = SettingDefinition.all.map { definition in
            let value = definition.isSwitch ? "" : " <\(definition.valueName)>"
            return "  --\(definition.name)\(value)\(definition.isList ? " ..." : "")\n      \(definition.help)"
        }
        return """
            Each setting is a flag, a variable such as EASEL_SERVE_LISTEN, or a line of the file such as listen = ADDRESS.

            \(lines.joined(separator: "\n"))
            """
    }

    /// Parses `--name value`, `--name=value` and switches.
    static func flags(_ arguments: [String]) throws -> [String: [String]] {
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else { throw ValidationError("Unexpected argument '\(argument)'") }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let definition = SettingDefinition.all.first(where: { $0.name == parts[0] }) else {
                throw ValidationError("Unknown option '\(argument)'")
            }
            let value: String
            if parts.count == 2 {
                value = String(parts[1])
            } else if definition.isSwitch {
                value = "true"
            } else if let next = rest.popFirst() {
                value = next
            } else {
                throw ValidationError("Missing value for '--\(definition.name)'")
            }
            guard definition.isList || values[definition.name] == nil else {
                throw ValidationError("'--\(definition.name)' is given twice.")
            }
            values[definition.name, default: []].append(value)
        }
        return values
    }
}
#endif
