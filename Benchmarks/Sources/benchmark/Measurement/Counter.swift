import CBenchmark
import Synchronization

/// Counts up from 0.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }
    func next() -> Int { value.add(1, ordering: .acquiringAndReleasing).oldValue }
}

/// What this process has allocated and not freed.
func allocatedBytes() -> Int { Int(benchmark_allocated_bytes()) }

/// The time that this process has spent on processors, in nanoseconds.
func processorTime() -> Double { Double(benchmark_processor_nanoseconds()) }
