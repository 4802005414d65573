#if JXL
import EaselCore

/// The header of a JPEG XL, read from its first bytes and, of an animation, from those of its frames (ISO/IEC 18181-1, annexes D
/// and F). libjxl, which reads all of them, takes ten times as long to make ready.
enum JXLQuickHeader {
    /// `nil` for what libjxl should have a look at: animations with a profile, colours by coordinates, what is rare.
    ///
    /// - Complexity: O(frames). Of their data only the lengths are read, and a profile to the end of its name.
    /// - Parameter readProfile: reads a profile as far as it is wanted.
    static func read(
        _ file: Span<UInt8>, _ readProfile: (JXLBitReader) -> [UInt8]? = JXLProfile.named
    ) -> ImageHeader? {
        guard var stream = JXLCodestream(file) else { return nil }
        // More than such a header has.
        var reader = JXLBitReader(stream.bytes(of: file, at: 2, count: 256))
        guard let size = size(&reader), size.width <= longestSide, size.height <= longestSide,
            let isDefault = reader.flag()
        else { return nil }
        var header = ImageHeader(format: .jxl, storedSize: size, profileName: "sRGB")
        guard !isDefault else { return header }
        var frames = JXLFrameScan(size: size)
        guard let extra = extraFields(&reader), let depth = JXLBitReader.bitDepth(&reader), reader.flag() != nil,
            let channels = reader.number((0, 0), (0, 1), (4, 2), (12, 1)), channels <= 8,
            let hasAlpha = hasAlpha(ofChannels: channels, &reader), let isFree = reader.flag(),
            let colors = colors(&reader)
        else { return nil }
        header.hasAlpha = hasAlpha
        header.bitDepth = depth
        if extra.orientation > 4 { header.storedSize = size.transposed }
        switch colors {
        case .numbers(let numbers):
            // What libjxl makes of free gray on another white is not what the file says.
            guard let name = numbers.name, !isFree || numbers.space == 0 || numbers.white == JXLColorNumbers.sRGB.white
            else { return nil }
            header.profileName = name
        case .profile(let space):
            guard extra.animation == nil else { return nil }
            // Free colours libjxl makes linear: it does not look into the profile.
            if isFree {
                header.profileName =
                    JXLColorNumbers(space: space, white: 1, primaries: 1, curve: .number(8), intent: 1).name
                return header
            }
            guard skipToTransform(&reader, extra), skipTransform(&reader, hasFreeColor: false) else { return nil }
            let bytes = stream.bytes(of: file, at: 2 + reader.position / 8, count: longestProfile)
            guard let profile = readProfile(JXLBitReader(bytes, from: reader.position % 8)) else { return nil }
            header.profileName = ICCProfileName.read(from: profile.span)
        }
        guard let animation = extra.animation else { return header }
        guard !extra.hasPreview, skipToTransform(&reader, extra), skipTransform(&reader, hasFreeColor: isFree) else {
            return nil
        }
        frames.isFreeColor = isFree
        frames.channelCount = channels
        frames.hasTimecodes = animation.hasTimecodes
        guard let ticks = frames.read(file, &stream, from: 2 + reader.byteCount), !ticks.isEmpty else { return nil }
        guard ticks.count > 1 else { return header }
        header.frameCount = ticks.count
        header.loopCount = animation.loopCount
        header.frameDurations = ticks.map { JXLBasics.duration(ticks: $0, animation.ticks, animation.seconds) }
        return header
    }

    /// Beyond these libjxl says what is allowed.
    private static let longestSide = 1 << 18
    /// Compressed.
    private static let longestProfile = 32 << 10

    private static func size(_ reader: inout JXLBitReader) -> PixelSize? {
        guard let isSmall = reader.flag() else { return nil }
        func side(_ reader: inout JXLBitReader) -> Int? {
            if isSmall { return reader.bits(5).map { ($0 + 1) * 8 } }
            return reader.number((9, 1), (13, 1), (18, 1), (30, 1))
        }
        return size(&reader, side)
    }

    private static func size(_ reader: inout JXLBitReader, _ side: (inout JXLBitReader) -> Int?) -> PixelSize? {
        guard let height = side(&reader), let ratio = reader.bits(3) else { return nil }
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        guard ratio > 0 else { return side(&reader).map { PixelSize($0, height) } }
        return PixelSize(height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height)
    }

    private struct Animation {
        var ticks: Int
        var seconds: Int
        var loopCount: Int
        var hasTimecodes: Bool
    }

    private struct ExtraFields {
        var areThere = false
        var orientation = 1
        var hasPreview = false
        var animation: Animation?
    }

    private static func extraFields(_ reader: inout JXLBitReader) -> ExtraFields? {
        guard let areThere = reader.flag() else { return nil }
        var fields = ExtraFields(areThere: areThere)
        guard areThere else { return fields }
        guard let orientation = reader.bits(3), let hasOtherSize = reader.flag() else { return nil }
        fields.orientation = orientation + 1
        // At which it is to be shown: nobody does.
        if hasOtherSize, size(&reader) == nil { return nil }
        guard let hasPreview = reader.flag() else { return nil }
        fields.hasPreview = hasPreview
        if hasPreview, !skipPreview(&reader) { return nil }
        guard let isAnimated = reader.flag() else { return nil }
        guard isAnimated else { return fields }
        guard let ticks = reader.number((0, 100), (0, 1000), (10, 1), (30, 1)),
            let seconds = reader.number((0, 1), (0, 1001), (8, 1), (10, 1)),
            let loopCount = reader.number((0, 0), (3, 0), (16, 0), (32, 0)), let hasTimecodes = reader.flag()
        else { return nil }
        fields.animation = Animation(ticks: ticks, seconds: seconds, loopCount: loopCount, hasTimecodes: hasTimecodes)
        return fields
    }

    private static func skipPreview(_ reader: inout JXLBitReader) -> Bool {
        guard let isSmall = reader.flag() else { return false }
        return size(&reader) { reader in
            isSmall
                ? reader.number((0, 16), (0, 32), (5, 1), (9, 33))
                : reader.number((6, 1), (8, 65), (10, 321), (12, 1345))
        } != nil
    }

    /// `nil` for channels that are not for pictures: of inks, and of cameras.
    private static func hasAlpha(ofChannels count: Int, _ reader: inout JXLBitReader) -> Bool? {
        var hasAlpha = false
        for _ in 0..<count {
            // All default is alpha of 8 bits, straight.
            guard let isDefault = reader.flag() else { return nil }
            hasAlpha = hasAlpha || isDefault
            if isDefault { continue }
            guard let kind = reader.enumerator(), kind <= 1, JXLBitReader.bitDepth(&reader) != nil,
                reader.number((0, 0), (0, 3), (0, 4), (3, 1)) != nil, reader.skipName()
            else { return nil }
            guard kind == 0 else { continue }
            hasAlpha = true
            if reader.flag() == nil { return nil }
        }
        return hasAlpha
    }

    private enum Colors {
        case numbers(JXLColorNumbers)
        /// Of gray or RGB, as the numbers' space.
        case profile(space: Int)
    }

    private static func colors(_ reader: inout JXLBitReader) -> Colors? {
        guard let isDefault = reader.flag() else { return nil }
        if isDefault { return .numbers(.sRGB) }
        guard let hasProfile = reader.flag(), let space = reader.enumerator(), space <= 1 else { return nil }
        if hasProfile { return .profile(space: space) }
        guard let white = reader.enumerator(), white != 2 else { return nil }
        var colors = JXLColorNumbers.sRGB
        (colors.space, colors.white) = (space, white)
        if space == 0 {
            guard let primaries = reader.enumerator(), primaries != 2 else { return nil }
            colors.primaries = primaries
        }
        guard let isPower = reader.flag() else { return nil }
        guard let curve = isPower ? reader.bits(24) : reader.enumerator(), let intent = reader.enumerator() else {
            return nil
        }
        colors.curve = isPower ? .power(curve) : .number(curve)
        colors.intent = intent
        return .numbers(colors)
    }

    /// Passes over what stands between the colours and the transform.
    private static func skipToTransform(_ reader: inout JXLBitReader, _ extra: ExtraFields) -> Bool {
        if extra.areThere {
            guard let isDefault = reader.flag(), isDefault || reader.skip(16 + 16 + 1 + 16) else { return false }
        }
        return reader.longNumber() == 0
    }

    /// Matrices and weights in numbers of 16 bits.
    private static func skipTransform(_ reader: inout JXLBitReader, hasFreeColor: Bool) -> Bool {
        guard let isDefault = reader.flag() else { return false }
        if isDefault { return true }
        if hasFreeColor {
            guard let isDefault = reader.flag(), isDefault || reader.skip(16 * 16) else { return false }
        }
        guard let mask = reader.bits(3) else { return false }
        return [15, 55, 210].enumerated().allSatisfy { mask >> $0 & 1 == 0 || reader.skip($1 * 16) }
    }
}

extension JXLBitReader {
    /// Bits of a sample.
    static func bitDepth(_ reader: inout JXLBitReader) -> Int? {
        guard let isFloat = reader.flag() else { return nil }
        guard isFloat else { return reader.number((0, 8), (0, 10), (0, 12), (6, 1)) }
        guard let depth = reader.number((0, 32), (0, 16), (0, 24), (6, 1)), reader.bits(4) != nil else { return nil }
        return depth
    }
}
#endif
