import EaselFoundation

/// A copy of a file that stays where it is: C libraries keep a pointer to it from call to call, which `Data` allows only
/// within a closure.
final class OwnedBytes {
    /// The file. The pointer must not outlive this object.
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ data: Data) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        buffer = UnsafeBufferPointer(copy)
    }

    deinit {
        buffer.deallocate()
    }
}
