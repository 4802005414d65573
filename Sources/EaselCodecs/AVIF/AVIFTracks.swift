#if AVIF
import CAVIF
import EaselCore
import EaselFoundation

/// A filter that removes audio and text tracks, which make some versions of libavif reject a file.
enum AVIFTracks {
    /// Returns a copy without these tracks; `nil` if there are none, or if libavif ignores them.
    static func removeUnsupportedTracks(from bytes: UnsafeBufferPointer<UInt8>) -> OwnedBytes? {
        guard easel_avif_refuses_tracks_without_size() != 0 else { return nil }
        let file = Span(_unsafeElements: bytes)
        guard let movie = file.firstBox("moov", in: 0..<file.count) else { return nil }
        var unsupported: [Int] = []
        file.forEachBox("trak", in: movie) { track in
            // Skips the version and an unused number.
            guard let handler = file.box(["mdia", "hdlr"], in: track).map({ $0.lowerBound + 8 }),
                !["pict", "vide", "auxv"].contains(where: { file.hasText($0, at: handler) }),
                file.hasText("trak", at: track.lowerBound - 4)
            else { return }
            unsupported.append(track.lowerBound - 4)
        }
        guard !unsupported.isEmpty else { return nil }
        var copy = Data(bytes)
        // Readers skip a box of free space, and the offsets of all other boxes stay valid.
        for offset in unsupported { copy.replaceSubrange(offset..<(offset + 4), with: Array("free".utf8)) }
        return OwnedBytes(copy)
    }
}

/// The frame durations and the loop count of an image sequence, from the boxes of its track.
///
/// libavif adds up all earlier frames for each query, which takes minutes for a file with many frames.
struct AVIFTrackTiming {
    /// The playback durations in the file. Frames without one are shown for 100 ms.
    let durations: [Duration]
    /// The loop count. 0, also the default, repeats forever.
    let loopCount: Int

    /// - Parameter frameCount: the number of frames, and so the maximum number of durations.
    init(_ file: Span<UInt8>, frameCount: Int) {
        let track = Self.colorTrack(in: file)
        let durations = track.map { Self.durations(of: $0, in: file, limit: frameCount) } ?? []
        let missing = max(0, frameCount - durations.count)
        self.durations = durations + Array(repeating: Duration.playback(milliseconds: 0), count: missing)
        loopCount = track.flatMap { Self.loopCount(of: $0, in: file) } ?? 0
    }

    /// Returns the first AV1 track that is not auxiliary to another one, such as alpha.
    private static func colorTrack(in file: Span<UInt8>) -> Range<Int>? {
        guard let movie = file.firstBox("moov", in: 0..<file.count) else { return nil }
        var first: Range<Int>?
        file.forEachBox("trak", in: movie) { track in
            guard first == nil, file.box(["tref", "auxl"], in: track) == nil,
                let formats = file.box(["mdia", "minf", "stbl", "stsd"], in: track), formats.count >= 8,
                file.firstBox("av01", in: (formats.lowerBound + 8)..<formats.upperBound) != nil
            else { return }
            first = track
        }
        return first
    }

    private static func durations(of track: Range<Int>, in file: Span<UInt8>, limit: Int) -> [Duration] {
        guard let times = file.box(["mdia", "minf", "stbl", "stts"], in: track),
            let header = file.box(["mdia", "mdhd"], in: track), let version = file.byte(at: header.lowerBound),
            let ticks = file.bigEndian32(at: header.lowerBound + (version == 1 ? 20 : 12)), ticks > 0
        else { return [] }
        var durations: [Duration] = []
        // Each entry is a run of frames with the same duration.
        for run in stride(from: times.lowerBound + 8, through: times.upperBound - 8, by: 8) {
            guard durations.count < limit, let count = file.bigEndian32(at: run),
                let length = file.bigEndian32(at: run + 4)
            else { break }
            let played = Duration.playback(milliseconds: (length * 1000 + ticks / 2) / ticks)
            durations += Array(repeating: played, count: min(count, limit - durations.count))
        }
        return durations
    }

    /// Returns the loop count of the edit list (ISO/IEC 14496-12, 8.6.6), which plays once or until the track's
    /// duration ends.
    private static func loopCount(of track: Range<Int>, in file: Span<UInt8>) -> Int? {
        guard let edits = file.box(["edts", "elst"], in: track), let flags = file.byte(at: edits.lowerBound + 3),
            let header = file.firstBox("tkhd", in: track)
        else { return nil }
        guard flags & 1 == 1 else { return 1 }
        // Version 1 of a box has numbers of eight bytes.
        func number(_ box: Range<Int>, at offset: Int, orLongAt longOffset: Int) -> Int? {
            file.byte(at: box.lowerBound) == 1
                ? file.bigEndian64(at: box.lowerBound + longOffset) : file.bigEndian32(at: box.lowerBound + offset)
        }
        let segment = number(edits, at: 8, orLongAt: 8)
        let total = number(header, at: 20, orLongAt: 28)
        // A duration with all bits set is infinite. With eight bytes, it does not fit an `Int`.
        guard let segment, segment > 0, let total, total > 0, total != 0xFFFF_FFFF else { return 0 }
        return (total - 1) / segment + 1
    }
}
#endif
