import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("Frame store: which frames are kept and decoded (R018, P012)")
struct FrameStoreStateTests {
    /// A store of frames of 10 bytes. The test ends each decode.
    private struct Store {
        var state: FrameStoreState
        var decoding: [Int: Int] = [:]
        var dropped: [String] = []
        var closed: [Int] = []
        var cancelled: [Int] = []
        var notified: [Int] = []
        var decodes: [String] = []

        init(limit: Int) { state = FrameStoreState(limit: limit) }

        mutating func join(_ player: Int, _ animation: Int, count: Int, owned: [Int] = []) {
            state.join(player, animation, frameCount: count, frameByteCount: 10, owned: owned)
        }

        mutating func demand(_ player: Int, _ current: Int?, _ upcoming: [Int], waits: Bool = false) {
            perform(
                state.change(player, FrameDemand(current: current, upcoming: upcoming, isWaiting: waits)))
        }

        mutating func end(_ animation: Int, _ outcome: FrameStoreState.Outcome = .decoded(byteCount: 10)) {
            guard let frame = decoding.removeValue(forKey: animation) else { return }
            perform(state.endDecode(animation, frame: frame, outcome))
        }

        /// Decodes until no decode is pending.
        mutating func work() {
            while let animation = decoding.keys.min() { end(animation) }
        }

        mutating func perform(_ actions: [FrameStoreState.Action]) {
            for action in actions {
                switch action {
                case .decode(let animation, let frame):
                    decoding[animation] = frame
                    decodes.append("\(animation):\(frame)")
                case .cancel(let animation): cancelled.append(animation)
                case .drop(let animation, let frames): dropped += frames.map { "\(animation):\($0)" }
                case .close(let animation): closed.append(animation)
                case .notify(let players): notified += players
                }
            }
        }

        /// Plays a loop of `count` frames with `ahead` upcoming ones, each decoded in time.
        mutating func loop(_ player: Int, count: Int, ahead: Int) {
            for current in 0..<count {
                demand(player, current, (1...ahead).map { (current + $0) % count })
                work()
            }
        }
    }

    @Test("if all frames fit, each is decoded only once")
    func fits() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        for _ in 0..<3 { store.loop(1, count: 10, ahead: 4) }
        #expect(store.decodes.count == 10 && store.dropped == [] && store.state.byteCount == 100)
    }

    @Test("if not all frames fit, the limit holds, and the frames needed last are dropped first")
    func limit() {
        var store = Store(limit: 50)
        store.join(1, 7, count: 10)
        store.loop(1, count: 10, ahead: 4)
        #expect(store.state.byteCount == 50)
        #expect(store.state.frames(of: 7) == [9, 0, 1, 2, 3])
        #expect(store.dropped.prefix(2) == ["7:1", "7:2"])
    }

    @Test("one frame of an animation is decoded at a time, the next one first")
    func order() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [3, 4, 5])
        #expect(store.decodes == ["7:3"])
        store.end(7)
        #expect(store.decodes == ["7:3", "7:4"])
    }

    @Test("players of one animation share its frames (X174)")
    func shared() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 5)
        store.join(2, 7, count: 5)
        store.loop(1, count: 5, ahead: 2)
        store.loop(2, count: 5, ahead: 2)
        #expect(store.decodes.count == 5)
    }

    @Test("a frame is not dropped for one that is needed later, so that players do not starve each other")
    func fairness() {
        var store = Store(limit: 60)
        for player in 1...3 { store.join(player, player, count: 10) }
        for player in 1...3 { store.demand(player, nil, [0, 1, 2, 3]) }
        store.work()
        // Two frames each.
        for player in 1...3 { #expect(store.state.frames(of: player) == [0, 1]) }
        let decodes = store.decodes.count
        for player in 1...3 { store.demand(player, nil, [0, 1, 2]) }
        #expect(store.decodes.count == decodes && store.state.byteCount == 60)
    }

    @Test("no frame is dropped for one that does not fit even so")
    func dropsNothingInVain() {
        var store = Store(limit: 35)
        store.state.join(1, 1, frameCount: 10, frameByteCount: 30, owned: [])
        store.join(2, 2, count: 10)
        store.demand(2, 0, [1, 2])
        store.work()
        store.demand(1, nil, [0, 1])
        #expect(store.dropped == [] && store.state.frames(of: 2) == [1, 2])
    }

    @Test("a frame that another animation shares during its decode is counted once")
    func sharedWhileDecoding() {
        var store = Store(limit: 100)
        store.join(1, 1, count: 4)
        store.join(2, 2, count: 4)
        store.demand(1, nil, [0])
        store.demand(2, nil, [0])
        store.end(1)
        store.state.share(from: 1, with: 2)
        store.end(2)
        #expect(store.state.byteCount == 20)
    }

    @Test("a player that waits gets its frame, even beyond the limit (X170)")
    func waiting() {
        var store = Store(limit: 5)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [0, 1, 2], waits: true)
        store.work()
        #expect(store.state.frames(of: 7) == [0] && store.notified == [1])
        store.demand(1, 0, [1, 2], waits: true)
        store.work()
        #expect(store.state.frames(of: 7) == [0, 1])
        store.demand(1, 1, [2, 3], waits: true)
        store.work()
        #expect(store.state.frames(of: 7) == [1, 2] && store.dropped == ["7:0"])
    }

    @Test("only a player that waits for a frame is notified")
    func notifies() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.join(2, 7, count: 10)
        store.demand(1, nil, [0], waits: true)
        store.demand(2, nil, [0, 1])
        store.end(7)
        #expect(store.notified == [1])
    }

    @Test("a player that starts to wait for an available frame is notified at once")
    func notMissed() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [0, 1])
        store.work()
        #expect(store.notified == [])
        store.demand(1, nil, [0, 1], waits: true)
        #expect(store.notified == [1])
    }

    @Test("a decode that is no longer needed is cancelled, and the needed one follows (X174)")
    func cancels() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [0, 1])
        store.demand(1, nil, [8, 9])
        #expect(store.cancelled == [7] && store.decodes == ["7:0"])
        store.end(7, .cancelled)
        #expect(store.decodes == ["7:0", "7:8"])
    }

    @Test("after the last player the decode is cancelled and the decoder closed, and frames stay while there is room")
    func leaves() {
        var store = Store(limit: 30)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [0, 1, 2])
        store.end(7)
        store.perform(store.state.leave(1))
        #expect(store.cancelled == [7] && store.closed == [7])
        store.end(7, .cancelled)
        #expect(store.state.frames(of: 7) == [0] && store.state.byteCount == 10)
        store.join(2, 8, count: 3)
        store.demand(2, nil, [0, 1, 2])
        store.work()
        #expect(store.dropped == ["7:0"] && store.state.frames(of: 8) == [0, 1, 2])
    }

    @Test("forgetting an animation drops its frames, including one being decoded")
    func forgets() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.demand(1, nil, [0, 1])
        store.end(7)
        store.perform(store.state.leave(1))
        store.perform(store.state.forget(7))
        #expect(store.state.byteCount == 0 && store.state.animationCount == 0)
        store.end(7)
        #expect(store.dropped == ["7:0", "7:1"] && store.state.byteCount == 0)
    }

    @Test("a damaged frame is decoded once, and a waiting player is notified")
    func damaged() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 3)
        store.demand(1, nil, [0, 1, 2], waits: true)
        store.end(7, .failed)
        #expect(store.notified == [1] && store.state.isDamaged(0, of: 7))
        store.demand(1, 0, [1, 2, 0])
        store.work()
        #expect(store.decodes == ["7:0", "7:1", "7:2"] && store.state.byteCount == 20)
    }

    @Test("under memory pressure the current and the next frame are kept (B100)")
    func trims() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 10)
        store.loop(1, count: 10, ahead: 2)
        store.demand(1, 4, [5, 6])
        store.perform(store.state.trim(toShare: 0))
        #expect(store.state.frames(of: 7) == [4, 5] && store.state.byteCount == 20)
    }

    @Test("the decoder is closed once all frames are decoded")
    func closesWhenWhole() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 2)
        store.demand(1, nil, [0, 1])
        store.end(7)
        #expect(store.closed == [])
        store.end(7)
        #expect(store.closed == [7])
    }

    @Test("frames owned by the animation have no cost and are not dropped")
    func owned() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 3, owned: [0, 1, 2])
        store.demand(1, nil, [0, 1, 2])
        #expect(store.decodes == [] && store.state.byteCount == 0)
        store.perform(store.state.trim(toShare: 0))
        #expect(store.dropped == [])
    }

    @Test("frames of an incomplete file are shared with its continuation")
    func inherits() {
        var store = Store(limit: 100)
        store.join(1, 7, count: 2)
        store.demand(1, nil, [0, 1])
        store.work()
        store.join(2, 8, count: 4)
        store.state.share(from: 7, with: 8)
        store.demand(2, 0, [1, 2])
        #expect(store.decodes == ["7:0", "7:1", "8:2"])
        store.perform(store.state.leave(1))
        store.perform(store.state.forget(7))
        #expect(store.state.byteCount == 30)
    }
}
