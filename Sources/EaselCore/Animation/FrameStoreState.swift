/// Which frames of which animations are kept, and which are decoded next: one budget of bytes for all players.
///
/// A pure value that takes events and returns what is to be done; `FrameStore` does it. What is kept is what is shown soonest,
/// by anybody: a frame takes the place only of one that is needed later, so that players never push out each other's next
/// frames in turns.
struct FrameStoreState {
    typealias AnimationID = Int
    typealias PlayerID = Int

    enum Action: Equatable {
        /// Decode this frame. One is decoded of an animation at a time.
        case decode(AnimationID, frame: Int)
        /// Nobody wants what is being decoded.
        case cancel(AnimationID)
        /// Give these frames back.
        case drop(AnimationID, frames: [Int])
        /// Nobody plays it, or all frames are there: give back what decoding keeps.
        case close(AnimationID)
        /// The frame that these wait for has come, or never will.
        case notify([PlayerID])
    }

    /// How a decode ended.
    enum Outcome: Equatable {
        case decoded(byteCount: Int)
        case failed
        case cancelled
    }

    private struct Entry {
        let frameCount: Int
        /// What a frame that is not decoded is thought to take.
        let frameByteCount: Int
        /// The bytes of each frame that is there.
        var frames: [Int: Int] = [:]
        var damaged: Set<Int> = []
        var demands: [PlayerID: FrameDemand] = [:]
        var decoding: Int?
        var isCancelling = false

        /// How soon a frame is shown by any player; by none, later than any other.
        func distance(to frame: Int) -> Int {
            demands.values.reduce(Int.max) { min($0, $1.distance(to: frame, of: frameCount)) }
        }

        /// Whether a frame is there, or never will be.
        func isSettled(_ frame: Int) -> Bool { frames[frame] != nil || damaged.contains(frame) }

        /// Whether there is nothing left to decode.
        var isWhole: Bool { frames.count + damaged.count == frameCount }

        /// The frame that is missing first, and how soon it is shown.
        var missing: (frame: Int, distance: Int, isWaited: Bool)? {
            var first: (frame: Int, distance: Int, isWaited: Bool)?
            for demand in demands.values {
                let place = demand.upcoming.firstIndex { !isSettled($0) }
                guard let place, place < first?.distance ?? .max else { continue }
                first = (demand.upcoming[place], place, place == 0 && demand.isWaiting)
            }
            return first
        }
    }

    /// The bytes that frames may take. Each player that waits may exceed it by the frame that it waits for.
    let limit: Int
    /// The bytes that frames take, those that are being decoded included.
    private(set) var byteCount = 0
    private var entries: [AnimationID: Entry] = [:]
    private var places: [PlayerID: AnimationID] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// Animations of which something is known.
    var animationCount: Int { entries.count }

    /// The frames of an animation that are there.
    func frames(of animation: AnimationID) -> Set<Int> { Set(entries[animation]?.frames.keys.map(\.self) ?? []) }

    /// Whether a frame will never come.
    func isDamaged(_ frame: Int, of animation: AnimationID) -> Bool {
        entries[animation]?.damaged.contains(frame) ?? false
    }

    // MARK: - Events

    /// A player begins to show an animation. `owned` are frames that are there at no cost: the animation's own.
    mutating func join(
        _ player: PlayerID, _ animation: AnimationID, frameCount: Int, frameByteCount: Int, owned: some Sequence<Int>
    ) {
        var entry = entries[animation] ?? Entry(frameCount: frameCount, frameByteCount: frameByteCount)
        for frame in owned where entry.frames[frame] == nil { entry.frames[frame] = 0 }
        entry.demands[player] = FrameDemand()
        entries[animation] = entry
        places[player] = animation
    }

    /// The frames of one animation are frames of another one too.
    mutating func share(from old: AnimationID, with new: AnimationID) {
        for (frame, count) in entries[old]?.frames ?? [:] where entries[new]?.frames[frame] == nil {
            entries[new]?.frames[frame] = count
            byteCount += count
        }
    }

    /// A player needs other frames.
    mutating func change(_ player: PlayerID, _ demand: FrameDemand) -> [Action] {
        guard let animation = places[player], entries[animation]?.demands[player] != demand else { return [] }
        entries[animation]?.demands[player] = demand
        // It may have come between the player's look and its demand.
        let isThere =
            demand.isWaiting && demand.upcoming.first.map { entries[animation]?.isSettled($0) ?? false } ?? false
        return (isThere ? [.notify([player])] : []) + cancelUnwanted(animation) + decodeNext(animation)
    }

    /// A player is gone. Its animation's frames are kept while there is room: it may come back into sight.
    mutating func leave(_ player: PlayerID) -> [Action] {
        guard let animation = places.removeValue(forKey: player) else { return [] }
        entries[animation]?.demands[player] = nil
        let close: [Action] = entries[animation]?.demands.isEmpty == true ? [.close(animation)] : []
        return cancelUnwanted(animation) + close + decodeAll()
    }

    /// Nobody has the animation any more, nor will.
    mutating func forget(_ animation: AnimationID) -> [Action] {
        guard let entry = entries.removeValue(forKey: animation) else { return [] }
        byteCount -= entry.frames.values.reduce(0, +) + (entry.decoding == nil ? 0 : entry.frameByteCount)
        for player in entry.demands.keys { places[player] = nil }
        return [.drop(animation, frames: entry.frames.keys.sorted())] + decodeAll()
    }

    /// A decode that was begun is over.
    mutating func ended(_ animation: AnimationID, frame: Int, _ outcome: Outcome) -> [Action] {
        guard let entry = entries[animation], entry.decoding == frame else {
            return [.drop(animation, frames: [frame])]
        }
        entries[animation]?.decoding = nil
        entries[animation]?.isCancelling = false
        byteCount -= entry.frameByteCount
        switch outcome {
        case .decoded(let count):
            entries[animation]?.frames[frame] = count
            byteCount += count
        case .failed:
            entries[animation]?.damaged.insert(frame)
        case .cancelled:
            return decodeNext(animation)
        }
        let waiting = entry.demands.filter { $0.value.isWaiting && $0.value.upcoming.first == frame }
        // No other may ever be wanted.
        let close: [Action] = entries[animation]?.isWhole == true ? [.close(animation)] : []
        return [.notify(waiting.keys.sorted())] + close + decodeNext(animation)
    }

    /// Memory is short: keeps no more than this share of the limit, but what is on screen and what comes next (B100).
    mutating func trim(toShare share: Double) -> [Action] {
        evict(until: Int(Double(limit) * share), beyond: 0) ?? []
    }

    // MARK: - Decoding

    private mutating func decodeAll() -> [Action] {
        entries.keys.sorted().flatMap { decodeNext($0) }
    }

    private mutating func decodeNext(_ animation: AnimationID) -> [Action] {
        guard let entry = entries[animation], entry.decoding == nil, !entry.isWhole, let next = entry.missing else {
            return []
        }
        let room = limit - entry.frameByteCount
        var actions = evict(until: room, beyond: next.distance) ?? []
        // What a player waits for is decoded whatever it takes: a picture that stands still for ever is worse.
        guard byteCount <= room || next.isWaited else { return actions }
        entries[animation]?.decoding = next.frame
        byteCount += entry.frameByteCount
        actions.append(.decode(animation, frame: next.frame))
        return actions
    }

    private mutating func cancelUnwanted(_ animation: AnimationID) -> [Action] {
        guard let entry = entries[animation], let frame = entry.decoding, !entry.isCancelling,
            !entry.demands.values.contains(where: { $0.upcoming.contains(frame) })
        else { return [] }
        entries[animation]?.isCancelling = true
        return [.cancel(animation)]
    }

    // MARK: - Room

    /// Gives frames back that are shown later than `distance` from now, the latest first, until no more than `target` bytes are
    /// taken. `nil` where there are not enough of them.
    private mutating func evict(until target: Int, beyond distance: Int) -> [Action]? {
        guard byteCount > target else { return nil }
        var dropped: [AnimationID: [Int]] = [:]
        while byteCount > target, let victim = latest(beyond: distance) {
            byteCount -= entries[victim.animation]?.frames.removeValue(forKey: victim.frame) ?? 0
            dropped[victim.animation, default: []].append(victim.frame)
        }
        return dropped.sorted { $0.key < $1.key }.map { .drop($0.key, frames: $0.value) }
    }

    private func latest(beyond distance: Int) -> (animation: AnimationID, frame: Int)? {
        var latest: (animation: AnimationID, frame: Int)?
        var latestDistance = distance
        for (id, entry) in entries {
            for (frame, byteCount) in entry.frames where byteCount > 0 {
                let distance = entry.distance(to: frame)
                guard distance > latestDistance else { continue }
                latestDistance = distance
                latest = (id, frame)
            }
        }
        return latest
    }
}
