import CDeflate
import EaselCore

/// The structure of a PNG file: the ranges of its chunks, checked against the end of the file.
///
/// Nothing is decompressed. Checksums of header chunks are verified here, those of data chunks when they are read.
struct PNGFile {
    let header: PNGImageHeader
    private(set) var palette: Range<Int>?
    private(set) var transparency: Range<Int>?
    private(set) var colors = PNGColors()
    private(set) var exif: Range<Int>?
    /// The XMP text.
    private(set) var xmp: Range<Int>?
    /// The chunks of the image for viewers without animation support.
    private(set) var imageChunks: [PNGChunk] = []
    /// The frames of an animation, at most as many as announced; empty for a still image.
    private(set) var frames: [PNGFrame] = []
    /// The loop count; 0 repeats forever.
    private(set) var loopCount = 1
    /// Whether the file ends before its last chunk.
    private(set) var isTruncated = false

    private var announcedFrames: Int?
    /// The control chunk of the first frame if it precedes the acTL chunk. Ignored if no acTL chunk follows.
    private var earlyControl: PNGChunk?
    private var nextSequence = 0

    /// Whether the image is an animation: an acTL chunk precedes the data.
    var isAnimated: Bool { !frames.isEmpty }

    /// The frames, or the still image as one.
    var shownFrames: [PNGFrame] { isAnimated ? frames : [PNGFrame(still: header.size, imageChunks)] }

    /// The header of uncompressed XMP: the keyword, no compression, no language, no translation (XMP part 3, 1.1.5).
    static let xmpName: StaticString = "XML:com.adobe.xmp\0\0\0\0\0"

    /// - Throws: `ImageError.badData` if the data is not a PNG, is truncated before its pixels, or is inconsistent;
    ///   `.tooLarge` for more frames than `ImageLimits.checkListed` allows.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.bigEndian32(at: 0) == 0x8950_4E47, file.bigEndian32(at: 4) == 0x0D0A_1A0A else {
            throw .badData("Not a PNG file.")
        }
        guard let first = Self.chunk(at: 8, in: file), first.type == .imageHeader, Self.matchesChecksum(first, in: file)
        else {
            throw .badData("The PNG header is damaged or truncated.")
        }
        header = try PNGImageHeader(file.extracting(first.data))
        try readChunks(of: file, from: first.data.upperBound + 4)
        guard !imageChunks.isEmpty else { throw .badData("The PNG file has no image data.") }
        if header.colorType == .palette, palette == nil { throw .badData("The PNG palette is missing.") }
        frames = Array(frames.prefix(announcedFrames ?? 0))
    }

    private mutating func readChunks(of file: Span<UInt8>, from start: Int) throws(ImageError) {
        var offset = start
        while let chunk = Self.chunk(at: offset, in: file) {
            if chunk.type == .end { return }
            try record(chunk, in: file)
            offset = chunk.data.upperBound + 4
        }
        isTruncated = true
        // The beginning of a truncated data chunk shows that the header is complete.
        if let type = file.bigEndian32(at: offset + 4), type == PNGChunkType.imageData.rawValue {
            imageChunks.append(PNGChunk(type: .imageData, data: (offset + 8)..<(offset + 8)))
        }
    }

    private mutating func record(_ chunk: PNGChunk, in file: Span<UInt8>) throws(ImageError) {
        let isBeforeData = imageChunks.isEmpty
        switch chunk.type {
        case .palette where isBeforeData:
            guard Self.matchesChecksum(chunk, in: file), chunk.data.count % 3 == 0,
                (1...256).contains(chunk.data.count / 3)
            else { throw .badData("The PNG palette is damaged.") }
            palette = chunk.data
        case .transparency where isBeforeData: transparency = chunk.data
        case .exif: exif = chunk.data
        case .internationalText where file.extracting(chunk.data).hasText(Self.xmpName, at: 0):
            xmp = (chunk.data.lowerBound + Self.xmpName.utf8CodeUnitCount)..<chunk.data.upperBound
        case .animationControl where isBeforeData:
            announcedFrames = file.bigEndian32(at: chunk.data.lowerBound)
            loopCount = file.bigEndian32(at: chunk.data.lowerBound + 4) ?? 0
            if let control = earlyControl.take() { try recordControl(control, in: file) }
        case .frameControl where announcedFrames != nil:
            try recordControl(chunk, in: file)
        case .frameControl where isBeforeData: earlyControl = chunk
        case .frameData where announcedFrames != nil:
            try advanceSequence(chunk, in: file)
            guard !frames.isEmpty else { throw .badData("A frame control chunk is missing.") }
            frames[frames.count - 1].chunks.append(chunk)
        case .imageData:
            try recordImageData(chunk)
        case .palette, .imageHeader:
            throw .badData("The PNG chunks are out of order.")
        default:
            if isBeforeData { colors.record(chunk) }
            if chunk.type.isCritical { throw .badData("The PNG contains an unknown critical chunk.") }
        }
    }

    private mutating func recordControl(_ chunk: PNGChunk, in file: Span<UInt8>) throws(ImageError) {
        try advanceSequence(chunk, in: file)
        frames.append(try PNGFrame(file.extracting(chunk.data), canvas: header.size))
        try ImageLimits.checkListed(frames: frames.count)
    }

    /// Adds image data. A frame announced before it shares this data.
    private mutating func recordImageData(_ chunk: PNGChunk) throws(ImageError) {
        imageChunks.append(chunk)
        guard let frame = frames.first else { return }
        guard frames.count == 1, frame.rectangle == .whole(header.size) else {
            throw .badData("The first frame does not cover the image.")
        }
        frames[0].chunks.append(chunk)
    }

    /// Checks that the sequence numbers of fcTL and fdAT chunks have no gaps, to detect missing or moved chunks.
    private mutating func advanceSequence(_ chunk: PNGChunk, in file: Span<UInt8>) throws(ImageError) {
        guard chunk.data.count >= 4, file.bigEndian32(at: chunk.data.lowerBound) == nextSequence else {
            throw .badData("Frames are missing or out of order.")
        }
        nextSequence += 1
    }

    /// Returns the chunk that starts at `offset`, or `nil` if it is incomplete.
    private static func chunk(at offset: Int, in file: Span<UInt8>) -> PNGChunk? {
        guard let length = file.bigEndian32(at: offset), let type = file.bigEndian32(at: offset + 4),
            length <= file.count - offset - 12
        else { return nil }
        return PNGChunk(type: PNGChunkType(rawValue: type), data: (offset + 8)..<(offset + 8 + length))
    }

    /// Returns whether the chunk matches its checksum.
    static func matchesChecksum(_ chunk: PNGChunk, in file: Span<UInt8>) -> Bool {
        let checksum = file.extracting(chunk.checked).withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        return file.bigEndian32(at: chunk.data.upperBound) == Int(checksum)
    }
}

/// The four letters of a chunk name, as a big-endian number.
struct PNGChunkType: RawRepresentable, Hashable {
    var rawValue: Int

    static let imageHeader = PNGChunkType(rawValue: 0x4948_4452)  // IHDR
    static let palette = PNGChunkType(rawValue: 0x504C_5445)  // PLTE
    static let imageData = PNGChunkType(rawValue: 0x4944_4154)  // IDAT
    static let end = PNGChunkType(rawValue: 0x4945_4E44)  // IEND
    static let transparency = PNGChunkType(rawValue: 0x7452_4E53)  // tRNS
    static let profile = PNGChunkType(rawValue: 0x6943_4350)  // iCCP
    static let codePoints = PNGChunkType(rawValue: 0x6349_4350)  // cICP
    static let standardRGB = PNGChunkType(rawValue: 0x7352_4742)  // sRGB
    static let gamma = PNGChunkType(rawValue: 0x6741_4D41)  // gAMA
    static let chromaticities = PNGChunkType(rawValue: 0x6348_524D)  // cHRM
    static let exif = PNGChunkType(rawValue: 0x6558_4966)  // eXIf
    static let internationalText = PNGChunkType(rawValue: 0x6954_5874)  // iTXt
    static let animationControl = PNGChunkType(rawValue: 0x6163_544C)  // acTL
    static let frameControl = PNGChunkType(rawValue: 0x6663_544C)  // fcTL
    static let frameData = PNGChunkType(rawValue: 0x6664_4154)  // fdAT

    /// Whether a decoder must reject a file if it does not support this chunk: the first letter is upper case.
    var isCritical: Bool { rawValue >> 24 & 0x20 == 0 }
}

/// The location of a chunk. Both ranges are inside the file.
struct PNGChunk {
    var type: PNGChunkType
    var data: Range<Int>
    /// The range that the checksum covers: the name and the data. The checksum follows it.
    var checked: Range<Int> { (data.lowerBound - 4)..<data.upperBound }
}
