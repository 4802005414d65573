import EaselSandbox
import Foundation

// This program is also the worker of its sandboxes.
Sandbox.runWorkerIfRequested()

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == FirstImage.option {
    try await FirstImage.show(CommandLine.arguments[2], folder: CommandLine.arguments[3])
    exit(0)
}

let options = Options(CommandLine.arguments.dropFirst())
if let name = options.profile {
    guard let profile = Profile.named(name) else { Options.fail("no case \(name)") }
    try await profile.run(seconds: options.seconds)
    ScratchFolder.removeAll()
    exit(0)
}

var groups = Group.all
if let name = options.group, name != Growth.name {
    guard let group = Group.named(name) else { Options.fail("no group \(name)") }
    groups = [group]
}
var results: [Result] = []
for group in options.group == Growth.name ? [] : groups {
    let before = results
    let measured = await group.measure(rounds: options.rounds, filter: options.filter) {
        [output = options.output] some in
        // Keeps the results if the run is interrupted.
        if let output { try? (before + some).write(to: output) }
    }
    Progress.shared.clear()
    print("\n\(group.name)\n\(measured.table)")
    fflush(nil)
    results += measured
}
if options.group ?? Growth.name == Growth.name {
    await Growth.print(plots: options.plots)
}
if !Scale.isQuick, let aims = Aims.table(results) { print("\ntargets\n\(aims)") }
for text in Absence.all { print("missing: \(text)") }
if let output = options.output, !results.isEmpty { try results.write(to: output) }
// Removing hundreds of thousands of files takes time.
fflush(nil)
ScratchFolder.removeAll()
if Absence.easelFailed.isRaised { exit(1) }
