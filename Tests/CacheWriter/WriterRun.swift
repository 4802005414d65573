import EaselCore
import EaselFoundation

/// Runs the steps.
struct WriterRun {
    let cache: DiskCache
    private var descriptors: [Int32] = []
    private var isExhausted = false

    init(cache: DiskCache) {
        self.cache = cache
    }

    /// Runs a step and returns its result as text.
    mutating func take(_ step: Step) async -> String {
        // Descriptors that libdispatch had open during the first call may be free by now.
        if isExhausted { exhaust() }
        do throws(ImageError) {
            switch step {
            case .store(let number, let version):
                let entry = SeededEntry(number: number, version: version)
                try await cache.store(entry.data, for: entry.key)
                // Waits, so that no work of this step overlaps with the next.
                await cache.settle()
                return "stored"
            case .read(let number): return try await read(number)
            case .removeAll:
                try await cache.removeAll()
                return "removed"
            case .count: return "\(await cache.statistics().entries) entries"
            case .fill(let seed):
                await StoreLoad(cache: cache, seed: seed).fill()
                return "filled"
            case .mix(let seed, let milliseconds):
                return await StoreLoad(cache: cache, seed: seed).mix(for: .milliseconds(milliseconds)).text
            case .become(let user): return setgid(user) == 0 && setuid(user) == 0 ? "became" : "remained"
            case .exhaust:
                isExhausted = true
                exhaust()
                return "exhausted"
            case .release:
                isExhausted = false
                for file in descriptors { close(file) }
                descriptors = []
                return "released"
            case .processors: return "\(coreCount)"
            }
        } catch {
            return "\(error.code): \(error)"
        }
    }

    private mutating func exhaust() {
        while case let file = open("/dev/null", O_RDONLY), file >= 0 { descriptors.append(file) }
    }

    private func read(_ number: Int) async throws(ImageError) -> String {
        guard let data = try await cache.data(for: SeededEntry(number: number, version: 0).key) else {
            return "missing"
        }
        return SeededEntry.version(of: data, number: number).map { "version \($0)" } ?? "wrong"
    }
}
