import EaselCore

/// The policy of a `FrameStore`: which frames are kept and which are decoded next, within one budget of bytes.
///
/// A pure value that takes events and returns actions. It keeps the frames that any player shows soonest: a frame
/// replaces only one that is needed later, so that players never evict each other's next frames in turns.
struct FrameStoreState {
    typealias AnimationID = Int
    typealias PlayerID = Int

    enum Action: Equatable {
        /// Decode this frame. Each animation decodes one at a time.
        case decode(AnimationID, frame: Int)
        /// Cancel the decode of a frame that no player needs.
        case cancel(AnimationID)
        /// Release these frames.
        case drop(AnimationID, frames: [Int])
        /// Release the decoder: no player is left, or all frames are decoded.
        case close(AnimationID)
        /// Notify players whose awaited frame is decoded or damaged.
        case notify([PlayerID])
    }

    enum Outcome: Equatable {
        case decoded(byteCount: Int)
        case failed
        case cancelled
    }

    private struct Entry {
        let frameCount: Int
        /// The estimated bytes of a frame before it is decoded.
        let frameByteCount: Int
        /// The bytes of each decoded frame.
        var frames: [Int: Int] = [:]
        var damaged: Set<Int> = []
        var demands: [PlayerID: FrameDemand] = [:]
        var decoding: Int?
        var isCancelling = false

        /// Returns the number of frames before this one, for the player that shows it soonest.
        func distance(to frame: Int) -> Int {
            demands.values.map { $0.distance(to: frame, of: frameCount) }.min() ?? .max
        }

        func isSettled(_ frame: Int) -> Bool { frames[frame] != nil || damaged.contains(frame) }

        /// Whether all frames are decoded or damaged.
        var isWhole: Bool { frames.count + damaged.count == frameCount }

        /// The missing frame that is shown first, and its distance.
        var missing: (frame: Int, distance: Int, isAwaited: Bool)? {
            var first: (frame: Int, distance: Int, isAwaited: Bool)?
            for demand in demands.values {
                let index = demand.upcoming.firstIndex { !isSettled($0) }
                guard let index, index < first?.distance ?? .max else { continue }
                first = (demand.upcoming[index], index, index == 0 && demand.isWaiting)
            }
            return first
        }
    }

    /// The budget. Each player may exceed it by the frame that it waits for.
    let limit: Int
    /// The bytes of all frames, including those in decoding.
    private(set) var byteCount = 0
    private var entries: [AnimationID: Entry] = [:]
    private var playerAnimations: [PlayerID: AnimationID] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    var animationCount: Int { entries.count }

    func frames(of animation: AnimationID) -> Set<Int> { Set(entries[animation]?.frames.keys.map(\.self) ?? []) }

    func isDamaged(_ frame: Int, of animation: AnimationID) -> Bool {
        entries[animation]?.damaged.contains(frame) ?? false
    }

    // MARK: - Events

    /// Adds a player. `owned` are frames of the animation itself, which cost nothing.
    mutating func join(
        _ player: PlayerID, _ animation: AnimationID, frameCount: Int, frameByteCount: Int, owned: some Sequence<Int>
    ) {
        var entry = entries[animation] ?? Entry(frameCount: frameCount, frameByteCount: frameByteCount)
        for frame in owned where entry.frames[frame] == nil { entry.frames[frame] = 0 }
        entry.demands[player] = FrameDemand()
        entries[animation] = entry
        playerAnimations[player] = animation
    }

    /// Adds the frames of one animation to another.
    mutating func share(from old: AnimationID, with new: AnimationID) {
        for (frame, count) in entries[old]?.frames ?? [:] where entries[new]?.frames[frame] == nil {
            entries[new]?.frames[frame] = count
            byteCount += count
        }
    }

    mutating func change(_ player: PlayerID, _ demand: FrameDemand) -> [Action] {
        guard let animation = playerAnimations[player], entries[animation]?.demands[player] != demand else { return [] }
        entries[animation]?.demands[player] = demand
        // It may have been decoded since the player's last check.
        let isAvailable =
            demand.isWaiting && demand.upcoming.first.map { entries[animation]?.isSettled($0) ?? false } ?? false
        return (isAvailable ? [.notify([player])] : []) + cancelUnwanted(animation) + decodeNext(animation)
    }

    /// Removes a player. Its animation's frames are kept while there is room, because the player may return.
    mutating func leave(_ player: PlayerID) -> [Action] {
        guard let animation = playerAnimations.removeValue(forKey: player) else { return [] }
        entries[animation]?.demands[player] = nil
        let close: [Action] = entries[animation]?.demands.isEmpty == true ? [.close(animation)] : []
        return cancelUnwanted(animation) + close + decodeAll()
    }

    /// Removes an animation that has been deallocated.
    mutating func forget(_ animation: AnimationID) -> [Action] {
        guard let entry = entries.removeValue(forKey: animation) else { return [] }
        byteCount -= entry.frames.values.reduce(0, +) + (entry.decoding == nil ? 0 : entry.frameByteCount)
        for player in entry.demands.keys { playerAnimations[player] = nil }
        return [.drop(animation, frames: entry.frames.keys.sorted())] + decodeAll()
    }

    mutating func endDecode(_ animation: AnimationID, frame: Int, _ outcome: Outcome) -> [Action] {
        guard let entry = entries[animation], entry.decoding == frame else {
            return [.drop(animation, frames: [frame])]
        }
        entries[animation]?.decoding = nil
        entries[animation]?.isCancelling = false
        byteCount -= entry.frameByteCount
        switch outcome {
        case .decoded(let count):
            // It may have been shared with this animation meanwhile.
            byteCount += count - (entries[animation]?.frames.updateValue(count, forKey: frame) ?? 0)
        case .failed:
            entries[animation]?.damaged.insert(frame)
        case .cancelled:
            return decodeNext(animation)
        }
        let waiting = entry.demands.filter { $0.value.isWaiting && $0.value.upcoming.first == frame }
        let close: [Action] = entries[animation]?.isWhole == true ? [.close(animation)] : []
        return [.notify(waiting.keys.sorted())] + close + decodeNext(animation)
    }

    /// Reduces the frames to this share of the limit, except those on screen and next.
    mutating func trim(toShare share: Double) -> [Action] {
        evict(until: Int(Double(limit) * share), beyond: 0)
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
        // An awaited frame is decoded even beyond the limit, so that playback never stalls.
        let isDecoded = next.isAwaited || byteCount - evictableBytes(beyond: next.distance, from: room) <= room
        var actions = evict(until: isDecoded ? room : limit, beyond: next.distance)
        guard isDecoded else { return actions }
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

    /// Evicts frames that are farther than `distance`, the farthest first, until no more than `target` bytes are taken.
    private mutating func evict(until target: Int, beyond distance: Int) -> [Action] {
        var dropped: [AnimationID: [Int]] = [:]
        while byteCount > target, let victim = farthest(beyond: distance) {
            byteCount -= entries[victim.animation]?.frames.removeValue(forKey: victim.frame) ?? 0
            dropped[victim.animation, default: []].append(victim.frame)
        }
        return dropped.sorted { $0.key < $1.key }.map { .drop($0.key, frames: $0.value) }
    }

    /// Returns the bytes of the frames that are farther than `distance`; 0 if no more than `target` bytes are taken.
    private func evictableBytes(beyond distance: Int, from target: Int) -> Int {
        guard byteCount > target else { return 0 }
        return entries.values.reduce(0) { sum, entry in
            entry.frames.reduce(sum) { entry.distance(to: $1.key) > distance ? $0 + $1.value : $0 }
        }
    }

    private func farthest(beyond limit: Int) -> (animation: AnimationID, frame: Int)? {
        var farthest: (animation: AnimationID, frame: Int, distance: Int)?
        for (id, entry) in entries {
            for (frame, byteCount) in entry.frames where byteCount > 0 {
                let distance = entry.distance(to: frame)
                if distance > farthest?.distance ?? limit { farthest = (id, frame, distance) }
            }
        }
        return farthest.map { ($0.animation, $0.frame) }
    }
}

/// The frames that a player needs.
struct FrameDemand: Equatable, Sendable {
    var current: Int?
    /// The next frames in order; none for a player that is paused or invisible.
    var upcoming: [Int] = []
    /// Whether the first of them is late.
    var isWaiting = false
    /// Whether the frames after those follow in ascending order.
    var isForward = true

    /// Returns the number of frames before this one: 0 for the next one, negative for the one on screen. Beyond
    /// `upcoming` it is an estimate, which is exact except near the turns of a bounce.
    func distance(to frame: Int, of count: Int) -> Int {
        if frame == current { return -1 }
        if let index = upcoming.firstIndex(of: frame) { return index }
        guard let last = upcoming.last else { return Int.max - 1 }
        let steps = isForward ? frame - last : last - frame
        return upcoming.count + (steps + count) % count
    }
}
