#if JXL
import EaselCore

/// Goes from frame to frame of a JPEG XL without decompressing any (ISO/IEC 18181-1, annexes F and G): each begins with a header
/// and the lengths of its sections.
struct JXLFrameScan {
    /// Of the canvas, as stored.
    let size: PixelSize
    /// Whether colours are stored in the format's own space.
    var isFreeColor = true
    /// Channels beyond colours.
    var channelCount = 0
    var hasTimecodes = false

    init(size: PixelSize) {
        self.size = size
    }

    /// How many ticks each frame that is seen is shown. `nil` for frames whose sections are shuffled, for an end before that of
    /// the last frame, and for what makes no sense: libjxl should have a look.
    func read(_ file: Span<UInt8>, _ stream: inout JXLCodestream, from start: Int) -> [Int]? {
        var ticks: [Int] = []
        var place = start
        while place < stream.count {
            // More than nearly all frames' headers and lengths take.
            var reader = JXLBitReader(stream.bytes(of: file, at: place, count: 1 << 10))
            guard let frame = header(&reader), let sections = sectionCount(frame), reader.flag() == false else {
                return nil
            }
            reader.skipToByte()
            var length = 0
            for _ in 0..<sections {
                guard let section = reader.number((10, 0), (14, 1024), (22, 17_408), (30, 4_211_712)) else {
                    return nil
                }
                length += section
            }
            place += reader.byteCount + length
            guard place <= stream.count else { return nil }
            // Others are what later ones are made of.
            if frame.isLast || frame.ticks > 0 { ticks.append(frame.ticks) }
            if frame.isLast { return ticks }
        }
        return nil
    }

    private struct Frame {
        /// 0 and 3 are drawn on the canvas, 1 is an eighth of another one, 2 is for others to take from.
        var kind = 0
        var isModular = false
        var size: PixelSize
        var groupShift = 1
        var upsampling = 1
        var passCount = 1
        /// How often it is an eighth.
        var level = 0
        var ticks = 0
        var isLast = true

        var isDrawn: Bool { kind == 0 || kind == 3 }
    }

    private func sectionCount(_ frame: Frame) -> Int? {
        func parts(_ length: Int, _ part: Int) -> Int { (length + part - 1) / part }
        let scale = frame.upsampling << (3 * frame.level)
        let (width, height) = (parts(frame.size.width, scale), parts(frame.size.height, scale))
        let side = 128 << frame.groupShift
        let groups = parts(width, side) * parts(height, side)
        if groups == 1, frame.passCount == 1 { return 1 }
        return 2 + parts(width, side * 8) * parts(height, side * 8) + groups * frame.passCount
    }

    private func header(_ reader: inout JXLBitReader) -> Frame? {
        var frame = Frame(size: size)
        guard let isDefault = reader.flag() else { return nil }
        if isDefault { return frame }
        guard let kind = reader.bits(2), let isModular = reader.flag(), let flags = reader.longNumber() else {
            return nil
        }
        (frame.kind, frame.isModular) = (kind, isModular)
        let usesLevel = flags & 32 != 0
        let isYCbCr = isFreeColor ? false : reader.flag()
        guard let isYCbCr else { return nil }
        if isYCbCr, !usesLevel, !reader.skip(6) { return nil }
        if !usesLevel {
            guard let upsampling = reader.bits(2) else { return nil }
            frame.upsampling = 1 << upsampling
            guard reader.skip(2 * channelCount) else { return nil }
        }
        if isModular {
            guard let shift = reader.bits(2) else { return nil }
            frame.groupShift = shift
        } else if isFreeColor, !reader.skip(6) {
            return nil
        }
        if kind != 2 {
            guard let passCount = Self.passes(&reader) else { return nil }
            frame.passCount = passCount
        }
        if kind == 1 {
            guard let level = reader.bits(2) else { return nil }
            frame.level = level + 1
        }
        var isWhole = true
        if kind != 1 {
            guard let isCropped = reader.flag() else { return nil }
            if isCropped {
                guard let whole = crop(&frame, &reader) else { return nil }
                isWhole = whole
            }
        }
        guard finish(&frame, isWhole: isWhole, &reader) else { return nil }
        return frame
    }

    /// What follows a frame's place.
    private func finish(_ frame: inout Frame, isWhole: Bool, _ reader: inout JXLBitReader) -> Bool {
        var replaces = true
        frame.isLast = false
        if frame.isDrawn {
            for channel in 0...channelCount {
                guard let mode = blending(&reader, isWhole: isWhole) else { return false }
                if channel == 0 { replaces = mode == 0 }
            }
            guard let ticks = reader.number((0, 0), (0, 1), (8, 0), (32, 0)) else { return false }
            frame.ticks = ticks
            if hasTimecodes, !reader.skip(32) { return false }
            guard let isLast = reader.flag() else { return false }
            frame.isLast = isLast
        }
        var slot = 0
        if frame.kind != 1, !frame.isLast {
            guard let number = reader.bits(2) else { return false }
            slot = number
        }
        let canBeTaken = !frame.isLast && (frame.ticks == 0 || slot != 0)
        let tellsColors = frame.kind == 2 || frame.isDrawn && canBeTaken && replaces && isWhole
        if tellsColors, reader.flag() == nil { return false }
        return reader.skipName() && Self.skipFilters(&reader, isModular: frame.isModular) && reader.longNumber() == 0
    }

    /// Returns whether the frame covers the canvas.
    private func crop(_ frame: inout Frame, _ reader: inout JXLBitReader) -> Bool? {
        let ways = [(bits: 8, offset: 0), (11, 256), (14, 2304), (30, 18_688)]
        var origin = (x: 0, y: 0)
        if frame.isDrawn {
            guard let x = reader.number(ways), let y = reader.number(ways) else { return nil }
            // The lowest bit is the sign.
            origin = (x & 1 == 0 ? x / 2 : -(x + 1) / 2, y & 1 == 0 ? y / 2 : -(y + 1) / 2)
        }
        guard let width = reader.number(ways), let height = reader.number(ways), width > 0, height > 0 else {
            return nil
        }
        frame.size = PixelSize(width, height)
        return origin.x <= 0 && origin.y <= 0 && origin.x + width >= size.width && origin.y + height >= size.height
    }

    /// Returns the number of the mode; 0 replaces.
    private func blending(_ reader: inout JXLBitReader, isWhole: Bool) -> Int? {
        guard let mode = reader.number((0, 0), (0, 1), (0, 2), (2, 3)) else { return nil }
        let usesAlpha = channelCount > 0 && (mode == 2 || mode == 3)
        if usesAlpha, reader.number((0, 0), (0, 1), (0, 2), (3, 3)) == nil { return nil }
        if usesAlpha || mode == 4, reader.flag() == nil { return nil }
        if mode != 0 || !isWhole, reader.bits(2) == nil { return nil }
        return mode
    }

    private static func passes(_ reader: inout JXLBitReader) -> Int? {
        guard let count = reader.number((0, 1), (0, 2), (0, 3), (3, 4)) else { return nil }
        guard count > 1 else { return count }
        guard let smaller = reader.number((0, 0), (0, 1), (0, 2), (1, 3)), reader.skip(2 * (count - 1) + 2 * smaller)
        else { return nil }
        for _ in 0..<smaller where reader.number((0, 0), (0, 1), (0, 2), (3, 0)) == nil { return nil }
        return count
    }

    private static func skipFilters(_ reader: inout JXLBitReader, isModular: Bool) -> Bool {
        /// Numbers of 16 bits that are there where a bit says so.
        func skipNumbers(_ count: Int) -> Bool {
            guard let areThere = reader.flag() else { return false }
            return !areThere || reader.skip(16 * count)
        }
        guard let isDefault = reader.flag() else { return false }
        if isDefault { return true }
        guard let smooths = reader.flag(), !smooths || skipNumbers(6), let steps = reader.bits(2) else { return false }
        if steps > 0 {
            guard isModular || skipNumbers(8), skipNumbers(5), skipNumbers(isModular ? 3 : 4),
                !isModular || reader.skip(16)
            else { return false }
        }
        return reader.longNumber() == 0
    }
}
#endif
