import Foundation

let usage = "usage: benchmark [--group NAME] [--rounds N] [--output FILE]"
let groups: [String: @Sendable () async throws -> [Work]] = [
    MemoryGroup.name: MemoryGroup.works, DiskGroup.name: DiskGroup.works,
    LargeFolders.name: LargeFolders.works, DecodedGroup.name: DecodedGroup.works,
    NetworkGroup.name: NetworkGroup.works, ViewGroup.name: ViewGroup.works,
    PictureGroups.decode: PictureGroups.decodeWorks, PictureGroups.thumbnail: PictureGroups.thumbnailWorks,
    PictureGroups.transform: PictureGroups.transformWorks, PictureGroups.animation: PictureGroups.animationWorks,
]

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("benchmark: \(message)\n\(usage)\n".utf8))
    exit(2)
}

var chosen = groups.keys.sorted()
var rounds = 11
var output: String?
var arguments = CommandLine.arguments.dropFirst().makeIterator()
while let option = arguments.next() {
    guard let value = arguments.next() else { fail("\(option) needs a value") }
    switch option {
    case "--group":
        guard groups[value] != nil else { fail("no group \(value); there are \(chosen.joined(separator: ", "))") }
        chosen = [value]
    case "--rounds":
        guard let number = Int(value), number > 0 else { fail("\(value) is no number of rounds") }
        rounds = number
    case "--output":
        output = value
    default:
        fail("no option \(option)")
    }
}

/// Off the main actor, so that no work pays for the way back to it.
@concurrent
func measure(_ groups: [@Sendable () async throws -> [Work]], rounds: Int) async throws -> [Result] {
    var results: [Result] = []
    for group in groups {
        for work in try await group() {
            let result = try await work.measure(rounds: rounds)
            // Works may take minutes: what is known is told at once, and the whole table in the end.
            FileHandle.standardError.write(Data(([result].table + "\n\n").utf8))
            results.append(result)
        }
    }
    return results
}

ScratchFolder.removeAll()
let results = try await measure(chosen.compactMap { groups[$0] }, rounds: rounds)
ScratchFolder.removeAll()
print(results.table)
if let output {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(results).write(to: URL(fileURLWithPath: output), options: .atomic)
}
