import EaselTesting
import Testing

@testable import EaselCore

@Suite("Digest index")
struct DigestIndexTests {
    @Test("finds what was inserted and not removed, against a dictionary")
    func model() {
        var random = SeededGenerator(seed: 3)
        var index = DigestIndex()
        var model: [Int32: UInt32] = [:]
        for step in 0..<20_000 {
            let place = Int32.random(in: 0..<500, using: &random)
            if let tag = model.removeValue(forKey: place) {
                index.remove(place, tag: tag)
            } else {
                // Few tags, so that many are equal, and all in one corner, so that cells run over its edge.
                let tag = UInt32.max - UInt32.random(in: 0..<200, using: &random) * 1_000_000
                model[place] = tag
                index.insert(place, tag: tag)
            }
            guard step.isMultiple(of: 500) else { continue }
            #expect(index.count == model.count)
            for place in 0..<Int32(500) {
                let found = model[place].flatMap { tag in index.place(tag: tag) { $0 == place } }
                #expect(found == model[place].map { _ in place })
            }
        }
    }

    @Test("finds nothing that is not there, in an empty one too")
    func absent() {
        var index = DigestIndex()
        #expect(index.place(tag: 1) { _ in true } == nil)
        index.remove(1, tag: 1)
        index.insert(1, tag: 1)
        index.remove(2, tag: 1)
        #expect(index.count == 1)
        #expect(index.place(tag: 2) { _ in true } == nil)
        #expect(index.place(tag: 1) { _ in false } == nil)
    }

    @Test("digests of like keys get tags that are spread evenly")
    func spread() {
        let arena = EntryArena(hashSeed: 0x9E37_79B9_7F4A_7C15)
        var counts = [Int](repeating: 0, count: 16)
        for number in 0..<4_000 { counts[Int(arena.tag(of: Digest(of: "https://a.example/\(number)")) >> 28)] += 1 }
        #expect(counts.allSatisfy { (150...350).contains($0) })
    }
}
