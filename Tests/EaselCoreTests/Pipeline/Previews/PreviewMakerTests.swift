import Testing

@testable import EaselCore

@Suite("Preview schedule (S080, B93)")
struct PreviewScheduleTests {
    private var schedule = PreviewSchedule(interval: .milliseconds(100))

    @Test("the first preview is made at once")
    mutating func first() {
        #expect(schedule.didReceive(at: .milliseconds(7)) == .make)
    }

    @Test("previews are made one at a time, and bytes received meanwhile make only one more (X142)")
    mutating func oneAtATime() {
        _ = schedule.didReceive(at: .zero)
        for time in 1...9 { #expect(schedule.didReceive(at: .milliseconds(time)) == nil) }
        #expect(schedule.didMake(at: .milliseconds(10)) == .wait(.milliseconds(90)))
        #expect(schedule.didReceive(at: .milliseconds(50)) == nil)
        #expect(schedule.didWait(at: .milliseconds(100)) == .make)
        #expect(schedule.didMake(at: .milliseconds(110)) == nil)
    }

    @Test("previews begin at least one interval apart (R013)")
    mutating func interval() {
        _ = schedule.didReceive(at: .zero)
        #expect(schedule.didMake(at: .milliseconds(1)) == nil)
        #expect(schedule.didReceive(at: .milliseconds(30)) == .wait(.milliseconds(70)))
        #expect(schedule.didWait(at: .milliseconds(100)) == .make)
    }

    @Test("after a slow preview the schedule waits for as long as it took")
    mutating func slow() {
        _ = schedule.didReceive(at: .zero)
        _ = schedule.didReceive(at: .milliseconds(1))
        #expect(schedule.didMake(at: .milliseconds(400)) == .wait(.milliseconds(400)))
        #expect(schedule.didWait(at: .milliseconds(800)) == .make)
    }

    @Test("without new bytes no preview is made")
    mutating func nothingNew() {
        _ = schedule.didReceive(at: .zero)
        #expect(schedule.didMake(at: .milliseconds(500)) == nil)
        #expect(schedule.didReceive(at: .seconds(5)) == .make)
    }

    @Test("after the end no preview is made")
    mutating func end() {
        _ = schedule.didReceive(at: .zero)
        schedule.end()
        #expect(schedule.didReceive(at: .seconds(1)) == nil)
        #expect(schedule.didMake(at: .seconds(2)) == nil)
        #expect(schedule.didWait(at: .seconds(3)) == nil)
    }
}
