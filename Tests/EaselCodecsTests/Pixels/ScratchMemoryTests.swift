import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Scratch memory")
struct ScratchMemoryTests {
    @Test("memory beyond the machine's is refused", arguments: [-1, 1 << 60, Int.max])
    func excess(count: Int) {
        let error = #expect(throws: ImageError.self) { _ = try ScratchMemory(count: count, for: PixelSize(1, 1)) }
        #expect(error?.code == .tooLarge)
    }
}
