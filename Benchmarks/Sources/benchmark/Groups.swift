/// A group, or a part of one, that the command line can name.
struct Group: Sendable {
    typealias Part = (name: String, works: @Sendable () async throws -> [Work])

    let name: String
    let parts: [Part]

    static let all = [
        Group(name: MemoryGroup.name, parts: [("memory", MemoryGroup.works), ("hit-ratio", HitRatios.works)]),
        Group(
            name: DiskGroup.name,
            parts: [
                ("disk", DiskGroup.works), ("decoded", DecodedGroup.works), ("disk-large", LargeFolders.works),
            ]),
        Group(name: NetworkGroup.name, parts: [("network", NetworkGroup.works)]),
        Group(name: ImageGroups.decode, parts: [("decode", ImageGroups.decodeWorks)]),
        Group(name: ImageGroups.thumbnail, parts: [("thumbnail", ImageGroups.thumbnailWorks)]),
        Group(name: ImageGroups.transform, parts: [("transform", ImageGroups.transformWorks)]),
        Group(name: ImageGroups.animation, parts: [("animation", ImageGroups.animationWorks)]),
        Group(name: EncodeGroup.name, parts: [("encode", EncodeGroup.works)]),
        Group(name: SandboxGroup.name, parts: [("sandbox", SandboxGroup.works)]),
        Group(name: ViewGroup.name, parts: [("view", ViewGroup.works)]),
        Group(
            name: EndToEndGroup.name,
            parts: [
                ("feed", EndToEndGroup.works), ("whole-calls", WholeCalls.works), ("waiting", WaitingLine.works),
            ]),
        Group(
            name: ServerGroup.name,
            parts: [("server-hot", HotResults.works)]
                + ServedFormat.allCases.map { format in
                    ("server-\(format.fileExtension)", { try await ServerGroup.works(format) })
                } + [("server-sizes", ServerGroup.sizesWorks), ("server-decodes", SharedDecodes.works)]),
    ]

    static var names: String { (all.map(\.name) + [Growth.name]).joined(separator: ", ") }

    /// Returns the group or part with a name.
    static func named(_ name: String) -> Group? {
        if let group = all.first(where: { $0.name == name }) { return group }
        let part = all.flatMap(\.parts).first { $0.name == name }
        return part.map { Group(name: name, parts: [$0]) }
    }

    /// Measures off the main actor, so that no work includes a switch back to it. A failure is reported, and the rest
    /// continues.
    ///
    /// - Parameters:
    ///   - filter: Only rows whose name contains this text.
    ///   - keep: Called after each row with the results so far.
    @concurrent
    func measure(rounds: Int, filter: String?, keep: @Sendable ([Result]) -> Void) async -> [Result] {
        var results: [Result] = []
        for part in parts {
            do {
                for work in try await part.works() where filter.map({ work.name.contains($0) }) ?? true {
                    do {
                        results.append(try await work.measure(rounds: rounds))
                        keep(results)
                    } catch {
                        Absence.easelFailed.raise()
                        Absence.report("no row \(work.name): \(error)")
                    }
                }
            } catch {
                Absence.report("no part \(part.name): \(error)")
            }
        }
        return results
    }
}
