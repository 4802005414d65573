#if JXL
import CJXL
import EaselCore

/// libjxl's decoder, and the file that it is given bit by bit.
final class JXLReader {
    let decoder: OpaquePointer
    private let file: UnsafeBufferPointer<UInt8>
    private let pieceSize: Int
    private var given = 0

    /// - Parameters:
    ///   - file: the bytes. They must stay where they are as long as this object lives.
    ///   - events: what libjxl is to stop at.
    init(_ file: UnsafeBufferPointer<UInt8>, stoppingAt events: [JxlDecoderStatus]) throws(ImageError) {
        decoder = try Self.makeDecoder()
        self.file = file
        // Cancellation is asked between pieces: small enough for that, large enough to cost nothing.
        pieceSize = max(64 << 10, file.count / 64)
        Self.stop(decoder, at: events)
    }

    deinit {
        JxlDecoderDestroy(decoder)
    }

    static func makeDecoder() throws(ImageError) -> OpaquePointer {
        guard let decoder = JxlDecoderCreate(nil) else {
            throw .unsupported("There is no memory left to decode the JPEG XL.")
        }
        return decoder
    }

    static func stop(_ decoder: OpaquePointer, at events: [JxlDecoderStatus]) {
        JxlDecoderSubscribeEvents(decoder, events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
    }

    /// Starts again at the file's beginning. libjxl remembers which frames others are built on.
    func rewind(stoppingAt events: [JxlDecoderStatus]) {
        _ = JxlDecoderReleaseInput(decoder)
        JxlDecoderRewind(decoder)
        Self.stop(decoder, at: events)
        given = 0
    }

    /// Goes on to the next event. `JXL_DEC_NEED_MORE_INPUT` says that the file ends too early.
    func advance(isCancelled: () -> Bool) throws(ImageError) -> JxlDecoderStatus {
        while true {
            let status = given == 0 ? JXL_DEC_NEED_MORE_INPUT : JxlDecoderProcessInput(decoder)
            guard status == JXL_DEC_NEED_MORE_INPUT, given < file.count else { return status }
            if isCancelled() { throw .cancelled }
            let start = given - JxlDecoderReleaseInput(decoder)
            given += min(pieceSize, file.count - given)
            let piece = UnsafeBufferPointer(rebasing: file[start..<given])
            JxlDecoderSetInput(decoder, piece.baseAddress, piece.count)
        }
    }
}
#endif
