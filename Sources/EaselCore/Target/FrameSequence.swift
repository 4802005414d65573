/// The pictures of an animation that come from URLs of their own, in any order: they are shown in the order of the URLs (S042), once
/// all have ended. One that fails is left out; where all do, the animation fails as the first of them did.
struct FrameSequence<Picture> {
    private var outcomes: [Result<Picture, ImageError>?]
    private var missing: Int

    init(count: Int) {
        outcomes = Array(repeating: nil, count: count)
        missing = count
    }

    /// How it ended, once every picture has.
    var outcome: Result<[Picture], ImageError>? {
        guard missing == 0 else { return nil }
        let pictures = outcomes.compactMap { try? $0?.get() }
        if pictures.isEmpty, case .failure(let error) = outcomes.first { return .failure(error) }
        return .success(pictures)
    }

    /// The end of one of the loads; the first one counts.
    mutating func take(_ outcome: Result<Picture, ImageError>, at index: Int) {
        guard outcomes.indices.contains(index), outcomes[index] == nil else { return }
        outcomes[index] = outcome
        missing -= 1
    }
}
