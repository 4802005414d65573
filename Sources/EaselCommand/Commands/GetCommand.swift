import ArgumentParser
import EaselCore

struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Save images to files, unchanged or converted.",
        discussion: """
            Example: easel get https://example.org/a.png -o images --width 300 --format jpeg

            Without a size, a frame or a format, files are saved unchanged. Otherwise the default format is png for \
            images with alpha and jpeg for others.
            """)

    @OptionGroup var input: InputOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Output folder. Created if it is missing.", valueName: "folder"))
    var output = "."

    @Option(
        help: ArgumentHelp(
            "Pattern for file names, with {name}, {index}, {ext}, {width} and {height}.", valueName: "pattern"))
    var nameTemplate = OutputTemplate.defaultTemplate

    @Option(
        help: ArgumentHelp(
            "Add the images to a group in the cache, for \"easel cache clear --tag\". Can be repeated.",
            valueName: "tag"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp("URL to try if an input fails. Can be repeated, in the order to try.", valueName: "url"))
    var alternative: [String] = []

    @Flag(help: "Print a chart of the time of each load and its stages, in milliseconds.")
    var timing = false

    @OptionGroup var conversion: ConversionOptions
    @OptionGroup var loading: LoadingOptions

    func run() async throws { try await write(input.readAll()) }

    @MainActor
    private func write(_ inputs: [String]) async throws {
        let session = try await Session(loading)
        session.tags = Set(tag)
        session.alternatives = try alternative.map { try ImageInput($0).url }
        if timing { session.timing = TimingChart() }
        let folder = try await WorkerPool.writes.run { @Sendable [output] () throws(ImageError) in
            try OutputFolder(output)
        }
        let conversion = conversion.conversion(coders: session.coders)
        var names = OutputNames(nameTemplate)
        try await session.run(inputs) { (input) async throws(ImageError) in
            try await session.convert(input, conversion)
        } deliver: { (delivery) async throws(ImageError) in
            let file = delivery.value
            let name = names.next(
                .init(
                    name: try ImageInput(delivery.input).outputName, index: delivery.index, size: file.size,
                    fileExtension: file.format.fileExtension))
            try await WorkerPool.writes.run { @Sendable () throws(ImageError) in
                try folder.write(file.data, to: name)
            }
            session.count(delivery, source: file.source, timeline: file.timeline)
            session.timing?.add(
                name: name, source: file.source, timeline: delivery.timeline(file.timeline), encode: file.encode)
            let record = GetRecord(
                input: delivery.input, output: folder.path(of: name), size: file.size, byteCount: file.data.count,
                source: file.source, timeline: delivery.timeline(file.timeline), encode: file.encode)
            session.console.writeResult(loading.json ? record.json.text : record.text)
        }
    }
}

extension OutputTemplate: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    /// The pattern as shown in help.
    var defaultValueDescription: String { pattern }
}
