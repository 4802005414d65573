import EaselCore

/// A decoder of common JPEGs: Huffman codes and 8 bits, sequential or progressive. Its pixels equal those of libjpeg-turbo.
///
/// It stops at anything irregular. libjpeg-turbo then decodes the file, because it has rules for damage.
struct JPEGReader {
    private var markers: JPEGMarkers
    private let scan: JPEGScan
    private let frame: JPEGFrame
    private let geometry: JPEGGeometry
    private let scale: JPEGScale
    /// The quantization steps of each component, which are those of the first scan that has it.
    private var steps: [[Int16]]

    /// More scans than encoders write: each costs a pass over the image.
    private static let mostScans = 200

    /// Reads the markers before the first scan.
    ///
    /// - Throws: `JPEGStop.irregular`
    init(_ file: Span<UInt8>, scale: JPEGScale) throws(JPEGStop) {
        markers = try JPEGMarkers(file)
        guard let scan = try markers.readScan(in: file), let frame = markers.frame else { throw .irregular }
        self.scan = scan
        self.frame = frame
        self.scale = scale
        geometry = try JPEGGeometry(frame, denominator: scale.denominator)
        steps = Array(repeating: [], count: frame.components.count)
        try keepSteps(of: scan)
    }

    /// The size of the decoded image.
    var size: PixelSize { geometry.size }

    private mutating func keepSteps(of scan: JPEGScan) throws(JPEGStop) {
        for part in scan.parts where steps[part.component].isEmpty {
            guard let found = markers.steps[frame.components[part.component].steps] else { throw .irregular }
            steps[part.component] = found
        }
    }

    /// Decodes an image at a fraction of its size.
    ///
    /// - Throws: `ImageError.cancelled`
    /// - Returns: `nil` for a file that libjpeg-turbo has to decode.
    static func pixels(
        of file: Span<UInt8>, _ scale: JPEGScale, _ inks: CMYK?, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer? {
        guard var reader = try? JPEGReader(file, scale: scale) else { return nil }
        var stop: JPEGStop? = .irregular
        let pixels = try PixelBuffer(size: reader.size, isOpaque: true) { (target, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: reader.size) else { return }
            do throws(JPEGStop) {
                try reader.read(file, on: canvas, isCancelled)
                stop = nil
            } catch {
                stop = error
                return
            }
            try inks?.convert(canvas, isCancelled: isCancelled)
        }
        if stop == .cancelled { throw .cancelled }
        return stop == nil ? pixels : nil
    }

    /// Decodes the image. Pixels are B, G, R, 255, or C, M, Y, K for four components.
    mutating func read(_ file: Span<UInt8>, on canvas: Canvas, _ isCancelled: () -> Bool) throws(JPEGStop) {
        if !frame.isProgressive, scan.parts.count == frame.components.count {
            try readRows(file, on: canvas, isCancelled)
        } else {
            try readScans(file, on: canvas, isCancelled)
        }
    }

    private func planes() throws(JPEGStop) -> JPEGPlanes {
        do throws(ImageError) {
            return try JPEGPlanes(geometry, markers.colors, steps: steps)
        } catch { throw .irregular }
    }

    private func readRows(_ file: Span<UInt8>, on canvas: Canvas, _ isCancelled: () -> Bool) throws(JPEGStop) {
        let rows = try JPEGUnitRows(scan, markers, frame, geometry)
        var planes = try planes()
        var segment = rows.start
        let count = frame.units.height
        for row in 0..<count {
            if isCancelled() { throw .cancelled }
            try rows.decode(row, file, &segment, into: planes)
            planes.write(afterUnitRow: row, isLast: row + 1 == count, on: canvas)
        }
    }

    private mutating func readScans(
        _ file: Span<UInt8>, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(JPEGStop) {
        let usesFirstOnly = scale.usesFirstScanOnly && scan.places == 0...0 && scan.parts.count == steps.count
        guard usesFirstOnly == scale.usesFirstScanOnly else { throw .irregular }
        var coefficients: JPEGCoefficients
        do throws(ImageError) {
            coefficients = try JPEGCoefficients(frame, keepsMeans: usesFirstOnly)
        } catch { throw .irregular }
        var next: JPEGScan? = scan
        var scanCount = 0
        while let scan = next {
            scanCount += 1
            guard scanCount <= Self.mostScans else { throw .irregular }
            try keepSteps(of: scan)
            markers.offset = try coefficients.read(scan, markers, file, isCancelled: isCancelled)
            if usesFirstOnly {
                guard markers.hasEnd(in: file) else { throw .irregular }
                break
            }
            next = try markers.readScan(in: file)
        }
        guard usesFirstOnly || coefficients.isWhole else { throw .irregular }
        var planes = try planes()
        let count = frame.units.height
        for row in 0..<count {
            if isCancelled() { throw .cancelled }
            coefficients.draw(row, into: planes)
            planes.write(afterUnitRow: row, isLast: row + 1 == count, on: canvas)
        }
    }
}

extension JPEGMarkers {
    /// Whether the end of the image follows. In the data of a scan its bytes cannot occur.
    fileprivate func hasEnd(in file: Span<UInt8>) -> Bool {
        // Where it is in almost all files.
        if file.bigEndian16(at: file.count - 2) == 0xFFD9, offset <= file.count - 2 { return true }
        var place = offset
        while place + 1 < file.count {
            if file[place] == 0xFF, file[place + 1] == 0xD9 { return true }
            place += 1
        }
        return false
    }
}
