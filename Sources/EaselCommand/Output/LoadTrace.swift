import EaselCore
import Foundation
import Synchronization

/// The events of one load, and the tree of lines that `show --trace` prints for it.
struct LoadTrace: Sendable {
    private struct Node: Sendable {
        var id: UInt64?
        var name: String
        var duration: Duration?
        var notes: [String] = []
        var children: [Node] = []

        var durationText: String { duration.map { "\($0.millisecondsText) ms" } ?? "" }

        /// The total duration of the children, which run one after another.
        var sum: Duration { children.reduce(.zero) { $0 + ($1.duration ?? .zero) } }
    }

    private var nodes: [Node] = []

    mutating func begin(_ id: UInt64, _ stage: LoadStage) {
        let node = Node(id: id, name: stage.traceName)
        if stage.isOfDownload { download { $0.children.append(node) } } else { nodes.append(node) }
    }

    mutating func end(_ id: UInt64, after duration: Duration, _ outcome: StageOutcome) {
        change(id) { node in
            node.duration = duration
            switch outcome {
            case .done: break
            case .missed: node.notes.append("missed")
            case .failed(let error): node.notes.append(error.code.rawValue)
            }
        }
    }

    mutating func record(_ event: DownloadNotification.Event) {
        switch event {
        case .started: break
        case .responded(let status, _, let connect):
            let connected = connect.map { ", connected in \($0.millisecondsText) ms" } ?? ""
            request { $0.notes.append("\(status)\(connected)") }
        case .redirected(let url): request { $0.notes.append("to \(url.absoluteString)") }
        case .retrying(let pause, _):
            // The note of the preceding request shows the reason.
            download { $0.children.append(Node(name: "pause", duration: pause)) }
        case .finished(let bytes):
            download {
                $0.duration = $0.sum
                if bytes > 0 { $0.notes.append(ByteText.text(bytes)) } else { $0.notes.append("not modified") }
            }
        case .stopped(let error):
            download {
                $0.duration = $0.sum
                $0.notes.append(error.code.rawValue)
            }
        }
    }

    /// Returns a line for the load and one for each stage. The stages of a download are indented below it.
    func lines(title: String) -> [String] {
        // A child is indented by three columns.
        let names = nodes.flatMap { node in [node.name.count] + node.children.map { $0.name.count + 3 } }
        let durations = nodes.flatMap { node in [node] + node.children }.map { $0.durationText.count }
        return [title.printable] + Self.lines(of: nodes, indent: "", (names.max() ?? 0, durations.max() ?? 0))
    }

    private static func lines(of nodes: [Node], indent: String, _ widths: (name: Int, duration: Int)) -> [String] {
        nodes.enumerated().flatMap { index, node in
            let isLast = index == nodes.count - 1
            let name = node.name.padded(to: widths.name - indent.count)
            let duration = node.durationText.padded(to: widths.duration, .right)
            let notes = node.notes.joined(separator: ", ").printable
            return ["\(indent)\(isLast ? "└─" : "├─") \(name)  \(duration)  \(notes)".trimmingTrailingSpaces]
                + lines(of: node.children, indent: indent + (isLast ? "   " : "│  "), widths)
        }
    }

    /// Changes the current download, or adds one.
    private mutating func download(_ change: (inout Node) -> Void) {
        if let last = nodes.lastIndex(where: { $0.name == Self.downloadName }), nodes[last].duration == nil {
            change(&nodes[last])
        } else {
            var node = Node(name: Self.downloadName)
            change(&node)
            nodes.append(node)
        }
    }

    /// Changes the latest request of the download.
    private mutating func request(_ change: (inout Node) -> Void) {
        download { download in
            guard let last = download.children.lastIndex(where: { $0.name == LoadStage.firstByte.traceName }) else {
                return
            }
            change(&download.children[last])
        }
    }

    private mutating func change(_ id: UInt64, _ change: (inout Node) -> Void) {
        for index in nodes.indices {
            if nodes[index].id == id { return change(&nodes[index]) }
            if let child = nodes[index].children.firstIndex(where: { $0.id == id }) {
                return change(&nodes[index].children[child])
            }
        }
    }

    private static let downloadName = "download"
}

extension LoadStage {
    fileprivate var isOfDownload: Bool { self == .queued || self == .firstByte || self == .transfer }

    fileprivate var traceName: String { self == .firstByte ? "request" : rawValue }
}

/// A part of a load's time in charts.
enum TimedStage: Int, CaseIterable, Sendable {
    case disk, queued, connect, firstByte, transfer, decode, transform, encode, store, other

    var name: String { self == .firstByte ? "first byte" : "\(self)" }

    /// The letter of the stage in charts without colours.
    var letter: Character { Self.letters[rawValue] }

    /// The number in the 256-colour palette of terminals. The colours have similar lightness and are safe for red-green
    /// colour blindness.
    var color: Int { Self.colors[rawValue] }

    private static let letters = Array("kqcftdxes.")
    private static let colors = [109, 245, 179, 172, 68, 133, 175, 97, 73, 238]
}

extension LoadTimeline {
    /// Returns the stages that took time, in order. The remainder, such as waiting for another load, is `other`, so
    /// that the durations add up to the total.
    func stages(encode: Duration?) -> [(stage: TimedStage, duration: Duration)] {
        // The time to the first byte includes connecting.
        let wait = self[.firstByte].map { max(.zero, $0 - (connect ?? .zero)) }
        let known: [(TimedStage, Duration?)] = [
            (.disk, self[.disk]), (.queued, self[.queued]), (.connect, connect), (.firstByte, wait),
            (.transfer, self[.transfer]), (.decode, self[.decode]), (.transform, self[.transform]), (.encode, encode),
            (.store, self[.store]),
        ]
        var stages = known.compactMap { stage, duration in duration.map { (stage: stage, duration: $0) } }
        let sum = stages.reduce(Duration.zero) { $0 + $1.duration }
        if let total, total > sum { stages.append((.other, total - sum)) }
        return stages.filter { $0.duration > .zero }
    }
}

extension Duration {
    /// Milliseconds, with one decimal below 100.
    var millisecondsText: String {
        let tenths = Int((milliseconds * 10).rounded())
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }
}

/// An observer that records the events of loads by URL.
final class TraceLog: ImageObserver {
    private let traces = Mutex<[URL: LoadTrace]>([:])

    func didBegin(_ stage: ObservedStage) {
        update(stage.request) { $0.begin(stage.id, stage.stage) }
    }

    func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        update(stage.request) { $0.end(stage.id, after: duration, outcome) }
    }

    func didReceive(_ notification: DownloadNotification) {
        update(notification.request) { $0.record(notification.event) }
    }

    func trace(of url: URL) -> LoadTrace { traces.withLock { $0[url] } ?? LoadTrace() }

    private func update(_ request: ImageRequest, _ change: (inout LoadTrace) -> Void) {
        traces.withLock { change(&$0[request.url, default: LoadTrace()]) }
    }
}

/// An observer that collects warnings until the console prints them. Equal warnings are reported once, because a cache
/// that cannot be written warns for every image.
final class WarningLog: ImageObserver {
    private struct Warnings {
        var reported: Set<ImageWarning> = []
        var new: [ImageWarning] = []
    }

    private let warnings = Mutex(Warnings())

    func didReceive(_ warning: ImageWarning) {
        warnings.withLock { warnings in
            if warnings.reported.insert(warning).inserted { warnings.new.append(warning) }
        }
    }

    /// Returns and removes the warnings since the last call.
    func take() -> [ImageWarning] { warnings.withLock { exchange(&$0.new, with: []) } }
}
