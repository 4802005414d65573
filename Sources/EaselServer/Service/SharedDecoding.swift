#if Server
import EaselCore
import EaselFoundation
import Synchronization

/// Decodes a source once for several results that are made of it at the same time.
///
/// Each result is scaled from the whole image. That is less work only for decoders that read every pixel for a small
/// image too. A JPEG is decoded for each size: a reduced decode takes a part of the time, and of the memory.
final class SharedDecoding: Sendable {
    /// A whole image. Exists as long as a result uses it.
    final class Whole: Sendable {
        let image: DecodedImage
        fileprivate let file: Data
        /// The memory of the image.
        let permit: AdmissionGate.Permit

        fileprivate init(_ image: DecodedImage, of file: Data, permit: AdmissionGate.Permit) {
            self.image = image
            self.file = file
            self.permit = permit
        }
    }

    /// The pixels of an image that results can share.
    struct Key: Sendable, Hashable {
        var source: String
        var frame: Int
        var colorSpace: ColorSpace
    }

    /// A result in progress.
    final class Member: Sendable {
        private let sharing: SharedDecoding
        private let source: String

        fileprivate init(_ source: String, _ sharing: SharedDecoding) {
            self.source = source
            self.sharing = sharing
        }

        deinit { sharing.leave(source) }
    }

    private struct Weak: Sendable { weak var whole: Whole? }

    private struct State: Sendable {
        var members: [String: Int] = [:]
        var images: [Key: Weak] = [:]
    }

    private static let formats: Set<ImageFormat> = [.png, .webp, .avif, .heic, .jxl, .tiff]

    private let state = Mutex(State())
    private let flights = SingleFlight<Key, Whole>()

    /// Counts a result that is made of a source, until the returned value is released.
    func join(_ source: String) -> Member {
        state.withLock { $0.members[source, default: 0] += 1 }
        return Member(source, self)
    }

    private func leave(_ source: String) {
        state.withLock { state in
            let count = state.members[source, default: 1] - 1
            state.members[source] = count > 0 ? count : nil
        }
    }

    /// Returns the whole image of a file, decoded by `decode` unless another result has it; `nil` if no other result
    /// is made of the source, or a decode for each is less work.
    func image(
        of file: Data, _ format: ImageFormat, _ key: Key,
        decode: @escaping @Sendable () async throws(ImageError) -> (DecodedImage, AdmissionGate.Permit)
    ) async throws(ImageError) -> Whole? {
        guard Self.formats.contains(format), state.withLock({ $0.members[key.source, default: 0] }) > 1 else {
            return nil
        }
        let outcome = await flights.run(key) { [self] in
            if let whole = state.withLock({ $0.images[key]?.whole }) { return .success(whole) }
            do throws(ImageError) {
                let (image, permit) = try await decode()
                let whole = Whole(image, of: file, permit: permit)
                keep(whole, for: key)
                return .success(whole)
            } catch {
                return .failure(ServerError(error))
            }
        }.outcome
        switch outcome {
        // The source may have changed meanwhile.
        case .success(let whole): return whole.file == file ? whole : nil
        case .failure(.cancelled): throw .cancelled
        case .failure(let error): throw error.imageError
        }
    }

    private func keep(_ whole: Whole, for key: Key) {
        state.withLock { state in
            state.images = state.images.filter { $0.value.whole != nil }
            state.images[key] = Weak(whole: whole)
        }
    }
}
#endif
