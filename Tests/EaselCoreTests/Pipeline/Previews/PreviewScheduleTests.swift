import Testing

@testable import EaselCore

@Suite("When previews are made (S080, B93)")
struct PreviewScheduleTests {
    private var schedule = PreviewSchedule(interval: .milliseconds(100))

    @Test("the first at once")
    mutating func first() {
        #expect(schedule.didReceive(at: .milliseconds(7)) == .make)
    }

    @Test("one at a time (X142): what comes meanwhile makes one more, not many")
    mutating func oneAtATime() {
        _ = schedule.didReceive(at: .zero)
        for time in 1...9 { #expect(schedule.didReceive(at: .milliseconds(time)) == nil) }
        #expect(schedule.didMake(at: .milliseconds(10)) == .wait(.milliseconds(90)))
        #expect(schedule.didReceive(at: .milliseconds(50)) == nil)
        #expect(schedule.didWait(at: .milliseconds(100)) == .make)
        #expect(schedule.didMake(at: .milliseconds(110)) == nil)
    }

    @Test("no two begin closer than the interval (R013)")
    mutating func interval() {
        _ = schedule.didReceive(at: .zero)
        #expect(schedule.didMake(at: .milliseconds(1)) == nil)
        #expect(schedule.didReceive(at: .milliseconds(30)) == .wait(.milliseconds(70)))
        #expect(schedule.didWait(at: .milliseconds(100)) == .make)
    }

    @Test("a slow maker rests for as long as it worked")
    mutating func slow() {
        _ = schedule.didReceive(at: .zero)
        _ = schedule.didReceive(at: .milliseconds(1))
        #expect(schedule.didMake(at: .milliseconds(400)) == .wait(.milliseconds(400)))
        #expect(schedule.didWait(at: .milliseconds(800)) == .make)
    }

    @Test("nothing new, nothing made")
    mutating func nothingNew() {
        _ = schedule.didReceive(at: .zero)
        #expect(schedule.didMake(at: .milliseconds(500)) == nil)
        #expect(schedule.didReceive(at: .seconds(5)) == .make)
    }

    @Test("nothing behind the end")
    mutating func end() {
        _ = schedule.didReceive(at: .zero)
        schedule.end()
        #expect(schedule.didReceive(at: .seconds(1)) == nil)
        #expect(schedule.didMake(at: .seconds(2)) == nil)
        #expect(schedule.didWait(at: .seconds(3)) == nil)
    }
}
