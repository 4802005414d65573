import EaselCore

/// A job for a worker, sent as a message. Its file and the memory for its result are descriptors in the same message.
struct WorkerJob: Sendable {
    enum Operation: Sendable {
        /// Reads the header of the file.
        case header
        /// Reads the header of an incomplete animation, which counts its complete frames.
        case headerOfBeginning
        /// Reads EXIF and XMP.
        case metadata
        /// Decodes an image.
        case decode(DecodeOptions)
        /// Opens an animation as a numbered session, and reads its header.
        case open(session: UInt64, DecodeOptions)
        /// Decodes a frame. The worker may have the animation open as the session of this number.
        case frame(session: UInt64, DecodeOptions)
        /// Decodes as much as possible of a file that arrives in parts. `byteCount` is the length of all parts so far.
        /// The worker may have the earlier ones as the session of this number.
        case preview(session: UInt64, byteCount: Int, DecodeOptions)
        /// Provides more memory for the result of the last job.
        case memory
    }

    /// The number of the job. The answer contains it too.
    var number: UInt64
    /// The name of the format that selects the decoder. The signature of the file is ignored.
    var format: String
    var operation: Operation
    /// The length of the file in bytes, or `nil` if the message has no file.
    var fileByteCount: Int?
    /// The length of new memory for results, or `nil` if the worker keeps the memory of the last job.
    var memoryByteCount: Int?

    /// The maximum length of a message in bytes.
    static let maximumByteCount = 512

    var message: [UInt8] {
        var writer = ByteWriter(capacity: 160)
        writer.write(number)
        writer.write(Int64(fileByteCount ?? -1))
        writer.write(Int64(memoryByteCount ?? -1))
        writer.write(format)
        switch operation {
        case .header: writer.write(UInt8(0))
        case .headerOfBeginning: writer.write(UInt8(1))
        case .metadata: writer.write(UInt8(2))
        case .decode(let options):
            writer.write(UInt8(3))
            writer.write(options)
        case .frame(let session, let options):
            writer.write(UInt8(4))
            writer.write(session)
            writer.write(options)
        case .memory: writer.write(UInt8(5))
        case .open(let session, let options):
            writer.write(UInt8(6))
            writer.write(session)
            writer.write(options)
        case .preview(let session, let byteCount, let options):
            writer.write(UInt8(7))
            writer.write(session)
            writer.write(Int64(byteCount))
            writer.write(options)
        }
        return writer.bytes
    }

    init(
        number: UInt64, format: String, operation: Operation, fileByteCount: Int? = nil, memoryByteCount: Int? = nil
    ) {
        self.number = number
        self.format = format
        self.operation = operation
        self.fileByteCount = fileByteCount
        self.memoryByteCount = memoryByteCount
    }

    /// Reads a job from a message. Fails for any other bytes.
    init?(message: [UInt8]) {
        var reader = ByteReader(message)
        guard let number = reader.read(UInt64.self), let fileByteCount = reader.read(Int64.self),
            let memoryByteCount = reader.read(Int64.self), let format = reader.readText(),
            let kind = reader.read(UInt8.self)
        else { return nil }
        switch kind {
        case 0: operation = .header
        case 1: operation = .headerOfBeginning
        case 2: operation = .metadata
        case 3:
            guard let options = reader.readDecodeOptions() else { return nil }
            operation = .decode(options)
        case 4, 6:
            guard let session = reader.read(UInt64.self), let options = reader.readDecodeOptions() else { return nil }
            operation = kind == 4 ? .frame(session: session, options) : .open(session: session, options)
        case 5: operation = .memory
        case 7:
            guard let session = reader.read(UInt64.self), let byteCount = reader.readInt(),
                let options = reader.readDecodeOptions()
            else { return nil }
            operation = .preview(session: session, byteCount: byteCount, options)
        default: return nil
        }
        guard reader.isAtEnd else { return nil }
        self.number = number
        self.format = format
        self.fileByteCount = fileByteCount < 0 ? nil : Int(fileByteCount)
        self.memoryByteCount = memoryByteCount < 0 ? nil : Int(memoryByteCount)
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ options: DecodeOptions) {
        switch options.targetSize {
        case .original: write(UInt8(0))
        case .pixels(let size, let mode):
            write(UInt8(1))
            write(Int64(size.width))
            write(Int64(size.height))
            write(mode.rawValue)
        case .scaledDown(let bytes):
            write(UInt8(2))
            write(Int64(bytes))
        }
        write(Int64(options.frame))
        write(options.colorSpace.rawValue)
        write(options.depth.rawValue)
        write(UInt8(options.hdrHeadroom == nil ? 0 : 1))
        write((options.hdrHeadroom ?? 0).bitPattern)
        for limit in [options.limits.pixels, options.limits.bytes, options.limits.frames] { write(Int64(limit)) }
        let (seconds, attoseconds) = options.limits.decodingTime.components
        for part in [seconds, attoseconds] { write(part) }
        write(UInt8(options.allowsPartial ? 1 : 0))
    }
}

extension ByteReader {
    fileprivate mutating func readDecodeOptions() -> DecodeOptions? {
        guard let targetSize = readTargetSize(), let frame = readInt(),
            let colorSpace = readText().flatMap(ColorSpace.init), let depth = readText().flatMap(PixelDepth.init),
            let hasHeadroom = read(UInt8.self), let headroom = read(UInt64.self).map(Double.init(bitPattern:)),
            let pixels = readInt(), let bytes = readInt(), let frames = readInt(),
            let seconds = read(Int64.self), let attoseconds = read(Int64.self),
            let allowsPartial = read(UInt8.self)
        else { return nil }
        let time = Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        var options = DecodeOptions(
            targetSize: targetSize, frame: frame, colorSpace: colorSpace, depth: depth,
            limits: ImageLimits(pixels: pixels, bytes: bytes, frames: frames, decodingTime: time),
            allowsPartial: allowsPartial == 1)
        options.hdrHeadroom = hasHeadroom == 1 ? headroom : nil
        return options
    }

    private mutating func readTargetSize() -> TargetSize? {
        switch read(UInt8.self) {
        case 0: return .original
        case 1:
            guard let width = readInt(), let height = readInt(),
                let mode = readText().flatMap(TargetSize.ContentMode.init)
            else { return nil }
            return .pixels(PixelSize(width, height), mode: mode)
        case 2: return readInt().map { .scaledDown(bytes: $0) }
        default: return nil
        }
    }

    fileprivate mutating func readInt() -> Int? { read(Int64.self).map { Int($0) } }
}
