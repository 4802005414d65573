import Foundation

struct GalleryArguments {
    /// The arguments of a measurement.
    struct Bench {
        let kind: BenchRun.Kind
        let origin: String
        let set: String
        let cache: String
    }

    static let usage = """
        usage: gallery [--shots DIR] [FILE]
               gallery --bench cold|all|scroll|gifs|hits --origin URL --set NAME --cache DIR

        FILE has one URL per line. The environment variable URLS has URLs separated by spaces. Without URLs the gallery
        paints its own images. --shots writes screenshots of the gallery to DIR. If DIR is empty, --bench has no disk
        cache.
        """

    /// The URLs to show, or empty for the gallery's own images.
    private(set) var urls: [URL] = []
    private(set) var shots: String?
    private(set) var bench: Bench?

    /// Returns `nil` if the arguments are invalid.
    init?(_ arguments: [String], environment: [String: String]) {
        var values: [String: String] = [:]
        var files: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.hasPrefix("--") {
                guard let value = rest.popFirst() else { return nil }
                values[String(word.dropFirst(2))] = value
            } else {
                files.append(word)
            }
        }
        shots = values.removeValue(forKey: "shots")
        if let kind = values.removeValue(forKey: "bench") {
            guard let kind = BenchRun.Kind(rawValue: kind), let origin = values.removeValue(forKey: "origin"),
                let cache = values.removeValue(forKey: "cache")
            else { return nil }
            let set = values.removeValue(forKey: "set")
            guard let set = kind == .gifs ? set ?? "" : set else { return nil }
            bench = Bench(kind: kind, origin: origin, set: set, cache: cache)
        }
        guard values.isEmpty else { return nil }
        var words = environment["URLS", default: ""].split(separator: " ").map(String.init)
        for file in files {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
            words += text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        urls = words.filter { !$0.isEmpty && !$0.hasPrefix("#") }.compactMap { URL(string: $0) }
    }
}
