#if Server
/// The reason why a setting is invalid.
package struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

/// The values of settings from flags, the environment and a file. Flags precede the environment, and that the file.
package struct SettingValues: Sendable {
    private var values: [String: [String]] = [:]

    /// - Parameters:
    ///   - flags: The values by the names of settings.
    ///   - environment: All variables. Those of unknown settings are errors, because they are probably typing errors.
    ///   - file: The text of a file with lines `NAME = VALUE`. A list has several lines.
    package init(
        flags: [String: [String]], environment: [String: String] = [:], file: String = ""
    ) throws(SettingError) {
        values = try Self.parse(file)
        try values.merge(Self.values(of: environment)) { $1 }
        values.merge(flags.filter { !$0.value.isEmpty }) { $1 }
    }

    /// The variable that names the file.
    package static let fileVariable = "EASEL_SERVE_CONFIG"

    private static func values(of environment: [String: String]) throws(SettingError) -> [String: [String]] {
        var values: [String: [String]] = [:]
        var known: Set<String> = [fileVariable]
        for definition in SettingDefinition.all {
            known.insert(definition.variable)
            guard let text = environment[definition.variable], !text.isEmpty else { continue }
            values[definition.name] =
                definition.isList ? text.split(separator: ",").map { trimmed($0) } : [text]
        }
        for name in environment.keys.sorted() where name.hasPrefix("EASEL_SERVE_") && !known.contains(name) {
            throw SettingError("The variable \(name) is no setting.")
        }
        return values
    }

    private static func parse(_ text: String) throws(SettingError) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = trimmed(line)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "=", maxSplits: 1).map { trimmed($0) }
            guard let definition = SettingDefinition.all.first(where: { $0.name == parts[0] }) else {
                throw SettingError("Line \(number + 1) of the configuration: there is no setting `\(parts[0])`.")
            }
            guard parts.count == 2 || definition.isSwitch else {
                throw SettingError("Line \(number + 1) of the configuration: `\(definition.name)` has no value.")
            }
            let value = parts.count == 2 ? parts[1] : "true"
            guard definition.isList || values[definition.name] == nil else {
                throw SettingError("Line \(number + 1) of the configuration: `\(definition.name)` has a value already.")
            }
            values[definition.name, default: []].append(value)
        }
        return values
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }

    // MARK: - Reading

    func texts(_ name: String) -> [String] { values[name] ?? [] }
    func text(_ name: String) -> String? { values[name]?.last }

    func isOn(_ name: String) throws(SettingError) -> Bool {
        switch text(name)?.lowercased() {
        case nil, "false", "0", "no": return false
        case "true", "1", "yes": return true
        default: throw SettingError("`\(name)` must be true or false.")
        }
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(SettingError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw SettingError("`\(name)` must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Reads seconds, at most a thousand days.
    func duration(_ name: String, allowsZero: Bool = false) throws(SettingError) -> Duration? {
        guard let text = text(name) else { return nil }
        guard let value = Double(text), value > 0 || (allowsZero && value == 0), value <= 86_400_000 else {
            throw SettingError("`\(name)` must be a number of seconds.")
        }
        return .seconds(value)
    }

    /// The settings that have a value, as lines of a file. Secrets are replaced by stars.
    package var description: String {
        SettingDefinition.all.flatMap { definition in
            texts(definition.name).map { "\(definition.name) = \(definition.isSecret ? "****" : $0)" }
        }.joined(separator: "\n")
    }
}
#endif
