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
#endif
