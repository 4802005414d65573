import EaselCore
import Testing

@testable import easel

@Suite("Timing chart")
struct TimingChartTests {
    private func timeline(
        firstByte: Int = 40, transfer: Int = 30, decode: Int = 20, total: Int = 100
    ) -> LoadTimeline {
        var timeline = LoadTimeline()
        timeline.connect = .milliseconds(10)
        timeline[.firstByte] = .milliseconds(firstByte)
        timeline[.transfer] = .milliseconds(transfer)
        timeline[.decode] = .milliseconds(decode)
        timeline.total = .milliseconds(total)
        return timeline
    }

    private func lines(_ timelines: [LoadTimeline], columns: Int?, colors: Bool = false) -> [String] {
        var chart = TimingChart()
        for (index, timeline) in timelines.enumerated() {
            chart.add(name: "\(index).jpg", source: .network, timeline: timeline, encode: nil)
        }
        return chart.lines(columns: columns, colors: colors)
    }

    @Test("in a pipe, a bar has a letter for each stage, with milliseconds and a legend")
    func letters() {
        let lines = lines([timeline()], columns: nil)
        #expect(lines.count == 2)
        #expect(
            lines[0]
                == "0.jpg  cccfffffffffftttttttttddddddd...  100 ms  "
                + "network: connect 10.0, first byte 30.0, transfer 30.0, decode 20.0")
        #expect(lines[1] == "c connect  f first byte  t transfer  d decode  . other")
    }

    @Test("all bars have the same scale")
    func scale() {
        let lines = lines([timeline(), timeline(firstByte: 20, transfer: 15, decode: 10, total: 50)], columns: nil)
        let bars = lines.prefix(2).map { $0.dropFirst(7).prefix(32) }
        #expect(bars[0].trimmingSuffix(while: { $0 == " " }).count == 32)
        #expect(bars[1].trimmingSuffix(while: { $0 == " " }).count == 16)
    }

    @Test("no line is wrapped, and none is empty", arguments: [1, 8, 20, 40, 60, 80, 120, 300])
    func width(columns: Int) {
        var chart = TimingChart()
        chart.add(
            name: "写真" + String(repeating: "name", count: 20), source: .network, timeline: timeline(),
            encode: .milliseconds(3))
        let lines = chart.lines(columns: columns, colors: false)
        for line in lines { #expect(line.displayWidth < columns) }
        #expect(lines[0].isEmpty == (columns == 1))
    }

    @Test("the shortest stages are left out if a line has no room for all")
    func room() {
        let lines = lines([timeline()], columns: 80)
        #expect(lines[0].hasSuffix("network: first byte 30.0, transfer 30.0"))
        #expect(!lines[0].contains("connect"))
    }

    @Test("on a terminal, each stage has a colour, which is reset after it")
    func colors() {
        let lines = lines([timeline()], columns: 100, colors: true)
        #expect(lines[0].contains("\u{1B}[38;5;68m█"))
        #expect(lines[0].count { $0 == "\u{1B}" } == 10)
        #expect(lines[1].contains("\u{1B}[38;5;68m█\u{1B}[0m transfer"))
    }

    @Test("a shared load from memory is marked as such")
    func memory() {
        var chart = TimingChart()
        var timeline = LoadTimeline()
        timeline.total = .microseconds(100)
        timeline.isCoalesced = true
        chart.add(name: "a", source: .memory, timeline: timeline, encode: nil)
        #expect(chart.lines(columns: nil, colors: false)[0].hasSuffix("0.1 ms  memory, shared"))
    }

    @Test("an empty chart has no lines, and a name has no control characters")
    func names() {
        #expect(TimingChart().lines(columns: 80, colors: true).isEmpty)
        var chart = TimingChart()
        chart.add(name: "a\u{1B}[2Jb", source: .file, timeline: timeline(), encode: nil)
        #expect(!chart.lines(columns: nil, colors: false)[0].contains("\u{1B}"))
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> Substring {
        var remaining = self
        while let last = remaining.last, condition(last) { remaining.removeLast() }
        return remaining
    }
}
