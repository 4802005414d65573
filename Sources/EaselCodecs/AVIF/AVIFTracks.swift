#if AVIF
import CAVIF
import EaselCore
import EaselFoundation

/// A copy of a file without its tracks of sound and text, for versions of libavif that refuse the file for them.
enum AVIFTracks {
    /// `nil` where the file has no such track, and where libavif passes over them.
    static func withoutOthers(_ bytes: UnsafeBufferPointer<UInt8>) -> OwnedBytes? {
        guard easel_avif_refuses_tracks_without_size() != 0 else { return nil }
        let file = Span(_unsafeElements: bytes)
        guard let movie = file.firstBox("moov", in: 0..<file.count) else { return nil }
        var others: [Int] = []
        file.forEachBox("trak", in: movie) { track in
            // Behind the version and a number that is not used.
            guard let handler = file.box(["mdia", "hdlr"], in: track).map({ $0.lowerBound + 8 }),
                !["pict", "vide", "auxv"].contains(where: { file.holds($0, at: handler) }),
                file.holds("trak", at: track.lowerBound - 4)
            else { return }
            others.append(track.lowerBound - 4)
        }
        guard !others.isEmpty else { return nil }
        var copy = Data(bytes)
        // A box of free space is passed over by all readers, and what stands behind it keeps its place.
        for place in others { copy.replaceSubrange(place..<(place + 4), with: Array("free".utf8)) }
        return OwnedBytes(copy)
    }
}

/// How long the frames of an image sequence are shown, and how often it plays, as the boxes of its track say.
///
/// libavif adds up all earlier frames each time it is asked about one: a file with many frames would cost minutes.
struct AVIFTrackTiming {
    /// As played, as far as the file says; a frame that it says nothing of is shown for 100 ms.
    let durations: [Duration]
    /// 0 is for ever, also where the file says nothing.
    let loopCount: Int

    /// - Parameter frameCount: the frames that there are; no more durations are read.
    init(_ file: Span<UInt8>, frameCount: Int) {
        let track = Self.colorTrack(in: file)
        let durations = track.map { Self.durations(of: $0, in: file, limit: frameCount) } ?? []
        let missing = max(0, frameCount - durations.count)
        self.durations = durations + Array(repeating: FrameTiming.played(milliseconds: 0), count: missing)
        loopCount = track.flatMap { Self.loopCount(of: $0, in: file) } ?? 0
    }

    /// The first track of AV1 that is no companion, such as alpha, of another.
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
        // Runs of frames that are shown equally long.
        for run in stride(from: times.lowerBound + 8, through: times.upperBound - 8, by: 8) {
            guard durations.count < limit, let count = file.bigEndian32(at: run),
                let length = file.bigEndian32(at: run + 4)
            else { break }
            let played = FrameTiming.played(milliseconds: (length * 1000 + ticks / 2) / ticks)
            durations += Array(repeating: played, count: min(count, limit - durations.count))
        }
        return durations
    }

    /// From the edit list (ISO/IEC 14496-12, 8.6.6): it repeats until the track's duration is over, or plays once.
    private static func loopCount(of track: Range<Int>, in file: Span<UInt8>) -> Int? {
        guard let edits = file.box(["edts", "elst"], in: track), let flags = file.byte(at: edits.lowerBound + 3),
            let header = file.firstBox("tkhd", in: track)
        else { return nil }
        guard flags & 1 == 1 else { return 1 }
        let isLong = file.byte(at: edits.lowerBound) == 1
        let segment =
            isLong ? file.bigEndian64(at: edits.lowerBound + 8) : file.bigEndian32(at: edits.lowerBound + 8)
        let isLongHeader = file.byte(at: header.lowerBound) == 1
        let total =
            isLongHeader
            ? file.bigEndian64(at: header.lowerBound + 28) : file.bigEndian32(at: header.lowerBound + 20)
        // All bits set is a duration without end; of eight bytes, that is no `Int`.
        guard let segment, segment > 0, let total, total > 0, total != 0xFFFF_FFFF else { return 0 }
        return (total - 1) / segment + 1
    }
}
#endif
