#if Server
import EaselCore
import EaselServerURLs
import Testing

@Suite("Server URLs: presets and allowed options")
struct PresetTests {
    private func rules(_ lines: String...) throws -> URLRules {
        var rules = Paths.unsigned
        rules.presets = try Presets(lines)
        return rules
    }

    @Test("a preset is applied at its place among the options")
    func order() throws {
        let rules = try rules("small=w:100/q:50", "# a comment", "", "  sharp = sh:0.7  ")
        let options = try Paths.options("w:10/pr:small:sharp/q:70", rules)
        #expect(options.width == 100)
        #expect(options.quality == 70)
        #expect(options.sharpen == 0.7)
    }

    @Test("the default preset applies to every image")
    func standard() throws {
        let rules = try rules("default=q:40/w:30")
        #expect(try Paths.options("w:10", rules).quality == 40)
        #expect(try Paths.options("w:10", rules).width == 10)
    }

    @Test("presets contain presets")
    func nested() throws {
        let rules = try rules("a=pr:b/w:1", "b=w:2/h:3")
        let options = try Paths.options("pr:a", rules)
        #expect(options.width == 1)
        #expect(options.height == 3)
    }

    @Test(
        "invalid presets are refused when they are read",
        arguments: [
            ["a"], ["=w:1"], ["a="], ["a=w:1", "a=w:2"], ["a=pr:a"], ["a=pr:b", "b=pr:a"], ["a=pr:b"], ["a=w:x"],
            ["a=nonsense:1"], ["a=w:1/"], ["a=plain/https://a/b"],
        ])
    func invalid(_ lines: [String]) {
        #expect(throws: ImageURLError.self) { try Presets(lines) }
    }

    @Test("an unknown preset is named")
    func unknown() throws {
        let error = try Paths.error("pr:missing", rules("a=w:1"))
        #expect(error?.status == 422)
        #expect(error?.message.contains("missing") == true)
    }

    @Test("with presets only, names replace the options")
    func only() throws {
        var rules = try rules("small=w:100", "sharp=sh:0.7")
        rules.usesOnlyPresets = true
        let url = try ImageURL(rawPath: "/unsafe/small:sharp/plain/\(Paths.source)@png", rules: rules)
        #expect(url.options.width == 100)
        #expect(url.options.sharpen == 0.7)
        #expect(url.options.format?.name == "png")
        let error = #expect(throws: ImageURLError.self) {
            try ImageURL(rawPath: "/unsafe/w:100/plain/\(Paths.source)", rules: rules)
        }
        #expect(error?.code == "unknownPreset")
    }

    @Test("only allowed options are valid, under every name, but presets may have others")
    func allowed() throws {
        var rules = try rules("blurred=blur:3")
        rules.allowedOptions = try AllowedOptions(["w", "preset"])
        #expect(try Paths.options("width:10/w:20/pr:blurred", rules).blur == 3)
        let error = Paths.error("h:10", rules)
        #expect(error?.status == 403)
        #expect(error?.code == "forbiddenOption")
        #expect(throws: ImageURLError.self) { try AllowedOptions(["nonsense"]) }
    }

    @Test(
        "the limits of a server are raised only where that is allowed",
        arguments: ["msr:500", "msfs:1", "maf:2", "mafr:1", "mrd:9"])
    func limits(_ option: String) throws {
        #expect(Paths.error(option)?.status == 403)
        var rules = Paths.unsigned
        rules.allowsLimitOptions = true
        #expect(try Paths.options(option, rules).limits != ProcessingOptions().limits)
    }
}
#endif
