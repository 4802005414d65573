import Testing

@testable import EaselCore

@Suite("FrameSequence")
struct FrameSequenceTests {
    @Test("S042: the order is that of the URLs, whichever comes first")
    func order() throws {
        var sequence = FrameSequence<Int>(count: 3)
        sequence.take(.success(3), at: 2)
        sequence.take(.success(1), at: 0)
        #expect(sequence.outcome == nil)
        sequence.take(.success(2), at: 1)
        #expect(try sequence.outcome?.get() == [1, 2, 3])
    }

    @Test("one that fails is left out; where all do, the first says why")
    func failures() throws {
        var sequence = FrameSequence<Int>(count: 2)
        sequence.take(.failure(.status(404)), at: 0)
        sequence.take(.success(2), at: 1)
        #expect(try sequence.outcome?.get() == [2])
        sequence = FrameSequence(count: 2)
        sequence.take(.failure(.status(500)), at: 1)
        sequence.take(.failure(.status(404)), at: 0)
        #expect(sequence.outcome?.error == .status(404))
    }

    @Test("an end counts once, and no pictures are an animation of none")
    func counts() throws {
        var sequence = FrameSequence<Int>(count: 2)
        sequence.take(.success(1), at: 0)
        sequence.take(.success(9), at: 0)
        #expect(sequence.outcome == nil)
        #expect(try FrameSequence<Int>(count: 0).outcome?.get() == [])
    }
}
