import Testing

@testable import EaselCore

@Suite("When previews are made (S080, B93)")
struct PreviewScheduleTests {
    private var schedule = PreviewSchedule(interval: .milliseconds(100))

    @Test("the first at once")
    mutating func first() {
        #expect(schedule.newsCame(at: .milliseconds(7)) == .make)
    }

    @Test("one at a time (X142): what comes meanwhile makes one more, not many")
    mutating func oneAtATime() {
        _ = schedule.newsCame(at: .zero)
        for time in 1...9 { #expect(schedule.newsCame(at: .milliseconds(time)) == nil) }
        #expect(schedule.made(at: .milliseconds(10)) == .wait(.milliseconds(90)))
        #expect(schedule.newsCame(at: .milliseconds(50)) == nil)
        #expect(schedule.waited(at: .milliseconds(100)) == .make)
        #expect(schedule.made(at: .milliseconds(110)) == nil)
    }

    @Test("no two begin closer than the interval (R013)")
    mutating func interval() {
        _ = schedule.newsCame(at: .zero)
        #expect(schedule.made(at: .milliseconds(1)) == nil)
        #expect(schedule.newsCame(at: .milliseconds(30)) == .wait(.milliseconds(70)))
        #expect(schedule.waited(at: .milliseconds(100)) == .make)
    }

    @Test("a slow maker rests for as long as it worked")
    mutating func slow() {
        _ = schedule.newsCame(at: .zero)
        _ = schedule.newsCame(at: .milliseconds(1))
        #expect(schedule.made(at: .milliseconds(400)) == .wait(.milliseconds(400)))
        #expect(schedule.waited(at: .milliseconds(800)) == .make)
    }

    @Test("nothing new, nothing made")
    mutating func nothingNew() {
        _ = schedule.newsCame(at: .zero)
        #expect(schedule.made(at: .milliseconds(500)) == nil)
        #expect(schedule.newsCame(at: .seconds(5)) == .make)
    }

    @Test("nothing behind the end")
    mutating func end() {
        _ = schedule.newsCame(at: .zero)
        schedule.end()
        #expect(schedule.newsCame(at: .seconds(1)) == nil)
        #expect(schedule.made(at: .seconds(2)) == nil)
        #expect(schedule.waited(at: .seconds(3)) == nil)
    }
}
