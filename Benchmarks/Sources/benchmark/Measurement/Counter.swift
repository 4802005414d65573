import CBenchmark
import Synchronization

/// A counter that starts at 0.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }
    func next() -> Int { value.add(1, ordering: .acquiringAndReleasing).oldValue }
}

/// Returns the number of bytes that this process has allocated and not freed.
func allocatedBytes() -> Int { Int(benchmark_allocated_bytes()) }

/// Returns the processor time of this process, in nanoseconds.
func processorTime() -> Double { Double(benchmark_processor_nanoseconds()) }
