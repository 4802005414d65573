import EaselTesting
import Testing

@testable import EaselCore

@Suite("Worker line")
struct WorkerLineTests {
    private static let patience = WorkerLine<Int>.patience

    /// A line whose last job was done at 1,000, and came soon after the one before.
    private static func brisk() -> WorkerLine<Int> {
        var line = WorkerLine<Int>()
        #expect(line.append(1, at: 0, lastLook: 0) == true)
        #expect(line.take() == 1)
        line.finish(at: 100)
        #expect(line.beginWatch() == false)
        #expect(line.append(2, at: 200, lastLook: 100) == true)
        #expect(line.take() == 2)
        line.finish(at: 1_000)
        return line
    }

    @Test("a thread is woken for each job while all are busy or sleep, and jobs are taken in their order")
    func woken() {
        var line = WorkerLine<Int>()
        for job in 0..<5 { #expect(line.append(job, at: 0, lastLook: 0) == true) }
        for job in 0..<5 { #expect(line.take() == job) }
        #expect(line.take() == nil)
    }

    @Test("after jobs that come far apart nobody looks for the next")
    func farApart() {
        var line = WorkerLine<Int>()
        var now: UInt64 = 0
        for job in 0..<10 {
            #expect(line.append(job, at: now, lastLook: now) == true)
            #expect(line.take() == job)
            line.finish(at: now)
            #expect(line.beginWatch() == false)
            now += Self.patience
        }
    }

    @Test("where one came soon after the last, the thread that did it looks for the next, and nobody is woken for that")
    func soon() {
        var line = Self.brisk()
        #expect(line.beginWatch() == true)
        #expect(line.append(3, at: 2_000, lastLook: 1_900) == false)
        #expect(line.endWatch() == 3)
    }

    @Test("the same before it looks: who waited for its job may be faster")
    func beforeTheLook() {
        var line = Self.brisk()
        #expect(line.append(3, at: 1_001, lastLook: 1_000) == false)
        #expect(line.beginWatch() == true)
        #expect(line.endWatch() == 3)
    }

    @Test("a second job wakes another thread")
    func second() {
        var line = Self.brisk()
        #expect(line.append(3, at: 1_001, lastLook: 1_000) == false)
        #expect(line.append(4, at: 1_002, lastLook: 1_000) == true)
        #expect(line.beginWatch() == true)
        #expect(line.endWatch() == 3)
        #expect(line.take() == 4)
    }

    @Test("a thread that has lost its processor is not counted on")
    func lostProcessor() {
        var line = Self.brisk()
        #expect(line.beginWatch() == true)
        #expect(line.append(3, at: 1_000 + Self.patience, lastLook: 1_000) == false)
        #expect(line.take() == 3)
        #expect(line.append(4, at: 1_001 + Self.patience, lastLook: 1_000) == true)
    }

    @Test("one thread looks at a time: another that has done its job takes its place or sleeps")
    func oneAtATime() {
        var line = Self.brisk()
        line.finish(at: 1_001)
        #expect(line.beginWatch() == true)
        #expect(line.beginWatch() == false)
        #expect(line.endWatch() == nil)
        #expect(line.beginWatch() == false)
    }

    @Test("nobody looks any more once nothing came, until jobs come soon again")
    func inVain() {
        var line = Self.brisk()
        #expect(line.beginWatch() == true)
        #expect(line.endWatch() == nil)
        let late = 2_000 + Self.patience
        #expect(line.append(3, at: late, lastLook: late) == true)
        #expect(line.take() == 3)
        line.finish(at: late)
        #expect(line.beginWatch() == false)
    }

    @Test("no job is left behind where many threads look, sleep and are woken in any order")
    func nothingLost() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var line = WorkerLine<Int>()
            var now: UInt64 = 0
            // Wakes that no thread has followed, and threads that do a job, are about to look, and look.
            var (wakes, busy, done, looking) = (0, 0, 0, 0)
            var (added, taken) = (0, 0)
            for step in 0..<400 {
                now += UInt64.random(in: 0...(Self.patience / 4), using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where step < 300:
                    if line.append(added, at: now, lastLook: now) { wakes += 1 }
                    added += 1
                case 1 where wakes > 0:
                    wakes -= 1
                    if line.take() != nil { (busy, taken) = (busy + 1, taken + 1) }
                case 2 where busy > 0:
                    line.finish(at: now)
                    (busy, done) = (busy - 1, done + 1)
                case 3 where done > 0:
                    done -= 1
                    if line.beginWatch() { looking += 1 }
                case 4 where looking > 0:
                    looking -= 1
                    if line.endWatch() != nil { (busy, taken) = (busy + 1, taken + 1) }
                default: break
                }
                // Whatever waits has a thread that will come for it.
                #expect(looking <= 1)
                #expect(line.isEmpty || wakes + done + looking > 0)
                #expect(added - taken <= wakes + done + looking)
            }
        }
    }
}
