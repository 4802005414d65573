import EaselCodecs
import EaselCore
import EaselFoundation

/// The result of a decode without its pixels. The pixels follow in memory, aligned to 64 bytes.
struct WorkerImage: Sendable, Hashable {
    var header: ImageHeader
    var frameIndex: Int
    var isPartial: Bool
    var isOpaque: Bool
    /// For a preview, whether the rest of the file cannot change it.
    var isSufficient = false
    /// The colors of the 16-bit pixels; `nil` without such pixels.
    var deepColors: DeepColors?
    /// The gain map without its pixels; `nil` without one.
    var gainMap: Map?

    /// A gain map without its pixels.
    struct Map: Sendable, Hashable {
        var size: PixelSize
        var isOpaque: Bool
        var parameters: GainMap.Parameters
    }

    init(_ image: DecodedImage) throws(ImageError) {
        guard let header = image.metadata.header else { throw .badData("The decoder returned no header.") }
        self.header = header
        frameIndex = image.metadata.frameIndex
        isPartial = image.metadata.isPartial
        isOpaque = image.pixels.isOpaque
        deepColors = image.deepPixels?.colors
        gainMap = image.gainMap.map {
            Map(size: $0.pixels.size, isOpaque: $0.pixels.isOpaque, parameters: $0.parameters)
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(header)
        writer.write(UInt32(clamping: frameIndex))
        writer.write(UInt8((isPartial ? 1 : 0) | (isOpaque ? 2 : 0) | (isSufficient ? 4 : 0)))
        switch deepColors {
        case nil: writer.write("")
        case .perceptualQuantizer: writer.write("pq")
        case .standard(let space): writer.write(space.rawValue)
        }
        writer.write(UInt8(gainMap == nil ? 0 : 1))
        if let gainMap { writer.write(gainMap) }
        return writer.bytes
    }

    /// Reads a result. Fails for any other bytes.
    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let header = reader.readImageHeader(), let frame = reader.read(UInt32.self),
            let flags = reader.read(UInt8.self), let colors = reader.readText(), let hasMap = reader.read(UInt8.self)
        else { return nil }
        if hasMap == 1 {
            guard let map = reader.readMap() else { return nil }
            gainMap = map
        }
        guard reader.isAtEnd else { return nil }
        self.header = header
        frameIndex = Int(frame)
        isPartial = flags & 1 != 0
        isOpaque = flags & 2 != 0
        isSufficient = flags & 4 != 0
        switch colors {
        case "": deepColors = nil
        case "pq": deepColors = .perceptualQuantizer
        default:
            guard let space = ColorSpace(rawValue: colors) else { return nil }
            deepColors = .standard(space)
        }
    }
}

/// The ranges of a result's pixels in memory. Both processes compute them, so that no offsets are sent.
struct ResultLayout: Sendable, Hashable {
    let pixels: Range<Int>
    /// The range of the 16-bit pixels; empty if there are none.
    let deepPixels: Range<Int>
    /// The range of the pixels of the gain map; empty if there is none.
    let gainMap: Range<Int>
    /// The number of bytes of the memory.
    var byteCount: Int { gainMap.upperBound }

    /// Computes the layout of a result and pixels of this size.
    ///
    /// - Throws: `ImageError.tooLarge` for a size beyond all limits.
    init(
        resultByteCount: Int, size: PixelSize, isDeep: Bool, gainMap map: PixelSize? = nil
    ) throws(ImageError) {
        let start = (resultByteCount + 63) & ~63
        for size in [size, map ?? size] {
            guard size.width > 0, size.height > 0, size.width <= 1 << 30, size.height <= 1 << 30 else {
                throw .tooLarge(.pixels(size, limit: 1 << 30))
            }
        }
        // At most 2^33 x 2^30 bytes, which fits.
        let rows = ((size.width * 4 + 63) & ~63) * size.height
        let mapRows = map.map { (($0.width * 4 + 63) & ~63) * $0.height } ?? 0
        let deepRows = isDeep ? ((size.width * 8 + 63) & ~63) * size.height : 0
        guard rows <= 1 << 40, deepRows <= 1 << 40, mapRows <= 1 << 40 else {
            throw .tooLarge(.pixels(size, limit: 1 << 38))
        }
        pixels = start..<(start + rows)
        deepPixels = pixels.upperBound..<(pixels.upperBound + deepRows)
        gainMap = deepPixels.upperBound..<(deepPixels.upperBound + mapRows)
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ map: WorkerImage.Map) {
        write(map.size)
        write(UInt8((map.isOpaque ? 1 : 0) | (map.parameters.usesBaseColors ? 2 : 0)))
        for path in WorkerImage.Map.channels {
            for channel in 0..<3 { write(map.parameters[keyPath: path][channel].bitPattern) }
        }
        write(map.parameters.baseHeadroom.bitPattern)
        write(map.parameters.alternateHeadroom.bitPattern)
    }
}

extension ByteReader {
    /// Reads a gain map. Returns `nil` if its numbers are missing or not usable.
    fileprivate mutating func readMap() -> WorkerImage.Map? {
        func number() -> Double? { read(UInt64.self).map(Double.init(bitPattern:)) }
        guard let size = readPixelSize(), let flags = read(UInt8.self) else { return nil }
        var parameters = GainMap.Parameters(maximum: .zero, alternateHeadroom: 0, usesBaseColors: flags & 2 != 0)
        for path in WorkerImage.Map.channels {
            for channel in 0..<3 {
                guard let value = number() else { return nil }
                parameters[keyPath: path][channel] = value
            }
        }
        guard let base = number(), let alternate = number() else { return nil }
        (parameters.baseHeadroom, parameters.alternateHeadroom) = (base, alternate)
        guard parameters.isUsable else { return nil }
        return WorkerImage.Map(size: size, isOpaque: flags & 1 != 0, parameters: parameters)
    }
}

extension WorkerImage.Map {
    /// The parameters of three channels.
    fileprivate static var channels: [WritableKeyPath<GainMap.Parameters, SIMD3<Double>>] {
        [\.minimum, \.maximum, \.gamma, \.baseOffset, \.alternateOffset]
    }
}

extension ImageError {
    /// The error as the result of a job. Only for errors that decoders throw; a worker never cancels a decode.
    var workerResult: [UInt8] {
        var writer = ByteWriter()
        func write(_ kind: UInt8, _ numbers: [Int] = [], _ text: String = "") {
            writer.write(kind)
            for number in numbers { writer.write(Int64(number)) }
            writer.write(text.utf8.prefix(1000))
        }
        switch excess {
        case .pixels(let size, let limit): write(3, [size.width, size.height, limit])
        case .frames(let count, let limit): write(4, [count, limit])
        case .bytes(let count, let limit): write(5, [count, limit])
        case .time(let limit):
            let (seconds, attoseconds) = limit.components
            write(6, [Int(clamping: seconds), Int(clamping: attoseconds)])
        case nil: write(code == .unsupported ? 1 : 0, [], message)
        }
        return writer.bytes
    }

    /// Reads an error from the result of a job. Fails for any other bytes. The text is untrusted, as a file may have
    /// taken control of the worker: it is truncated, and control characters are replaced.
    init?(workerResult: [UInt8]) {
        var reader = ByteReader(workerResult)
        func read() -> Int? { reader.read(Int64.self).map { Int($0) } }
        func text() -> String {
            let text = String(decoding: reader.readToEnd().prefix(1000), as: UTF8.self)
            return String(
                String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
        }
        switch reader.read(UInt8.self) {
        case 0: self = .badData(text())
        case 1: self = .unsupported(text())
        case 3:
            guard let width = read(), let height = read(), let limit = read() else { return nil }
            self = .tooLarge(.pixels(PixelSize(width, height), limit: limit))
        case 4:
            guard let count = read(), let limit = read() else { return nil }
            self = .tooLarge(.frames(count, limit: limit))
        case 5:
            guard let count = read(), let limit = read() else { return nil }
            self = .tooLarge(.bytes(count, limit: limit))
        case 6:
            guard let seconds = read(), let attoseconds = read() else { return nil }
            let limit = Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
            self = .tooLarge(.time(limit: limit))
        default: return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension FileMetadata {
    var workerResult: [UInt8] {
        var writer = ByteWriter()
        for part in [exif, xmp] {
            writer.write(Int64(part?.count ?? -1))
            if let part { writer.write(part) }
        }
        return writer.bytes
    }

    /// Reads metadata from the result of a job. Fails for any other bytes.
    init?(workerResult: [UInt8]) {
        var reader = ByteReader(workerResult)
        self.init()
        for part in [\FileMetadata.exif, \FileMetadata.xmp] {
            guard let count = reader.read(Int64.self) else { return nil }
            guard count >= 0 else { continue }
            guard let bytes = reader.read(Int(count)) else { return nil }
            self[keyPath: part] = Data(bytes)
        }
        guard reader.isAtEnd else { return nil }
    }
}
