import ArgumentParser

/// The command `easel`.
struct EaselCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "easel",
        abstract: "Load, view and convert images from the web and from files.",
        discussion: """
            Try it: easel show https://www.w3.org/Graphics/PNG/nurbcup2si.png

            Exit status: 0 success, 1 an image failed, 2 invalid usage, 130 after ctrl-C.
            """,
        version: "0.1.0",
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        var subcommands: [any ParsableCommand.Type] = [
            ShowCommand.self, GetCommand.self, InfoCommand.self, CacheCommand.self,
        ]
        #if OriginServer
        subcommands.append(DemoCommand.self)
        #endif
        return subcommands
    }
}
