import EaselCore

/// A decoder of common JPEGs: Huffman-coded, 8 bits, sequential or progressive. Its pixels are those of libjpeg-turbo.
///
/// It reads complete files and files that arrive in pieces. It stops at irregular data. libjpeg-turbo then decodes the
/// file and handles the damage.
protocol JPEGReading: AnyObject {
    /// The size of the decoded image.
    var size: PixelSize { get }
    /// The number of rows on the canvas.
    var rowCount: Int { get }
    /// Whether all required data is decoded.
    var isWhole: Bool { get }
    /// Whether the remaining data would hardly change the image.
    var isSufficient: Bool { get }

    /// Decodes as much of the file as has arrived. The pixels are B, G, R, 255 or, for four components, C, M, Y, K.
    ///
    /// - Parameters:
    ///   - file: the beginning of the file. It is the same at each call, or longer.
    ///   - isComplete: whether no more bytes will arrive.
    ///   - canvas: the image, always the same one.
    /// - Throws: `JPEGStop.irregular` for damage, and for missing data in a complete file.
    func read(
        _ file: Span<UInt8>, isComplete: Bool, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(JPEGStop)

    /// Draws the scans that were decoded since the last call; rows of a single scan are already drawn. Returns whether
    /// the image has changed since the last call.
    func draw(on canvas: Canvas, byteCount: Int, _ isCancelled: () -> Bool) throws(JPEGStop) -> Bool
}

/// The creation of readers, and the decoding of complete files.
enum JPEGReader {
    /// Creates a reader of a file whose first scan header was read.
    static func make(
        _ markers: JPEGMarkers, _ scan: JPEGScan, _ scale: JPEGScale
    ) throws(JPEGStop) -> any JPEGReading {
        guard let frame = markers.frame else { throw .irregular }
        let geometry = try JPEGGeometry(frame, denominator: scale.denominator)
        if !frame.isProgressive, scan.parts.count == frame.components.count {
            return try JPEGRowReader(markers, scan, frame, geometry)
        }
        return try JPEGScanReader(markers, scan, frame, geometry, scale)
    }

    /// Decodes a complete image at a fraction of its size.
    ///
    /// - Throws: `ImageError.cancelled`
    /// - Returns: `nil` for a file that libjpeg-turbo has to decode.
    static func pixels(
        of file: Span<UInt8>, _ markers: JPEGMarkers, _ scan: JPEGScan, _ scale: JPEGScale, _ inks: CMYK?,
        isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer? {
        guard let reader = try? make(markers, scan, scale) else { return nil }
        var stop: JPEGStop? = .irregular
        let pixels = try PixelBuffer(size: reader.size, isOpaque: true) { (target, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: reader.size) else { return }
            do throws(JPEGStop) {
                try reader.read(file, isComplete: true, on: canvas, isCancelled)
                _ = try reader.draw(on: canvas, byteCount: file.count, isCancelled)
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
}

/// A reader of an image in a single scan, which it draws row by row.
final class JPEGRowReader: JPEGReading {
    private let rows: JPEGUnitRows
    private var planes: JPEGPlanes
    private var segment: JPEGScanState
    private let unitRowCount: Int
    private var unitRow = 0
    private var shownRowCount = 0
    /// The search for the marker after the scan.
    private var end = JPEGSegments()
    /// The number of bytes that did not suffice for the next row of units.
    private var stalledCount = 0
    let size: PixelSize

    /// The number of bytes up to which the next row of units is tried again after every piece. Above, it is tried when
    /// an eighth more has arrived.
    private static let freeBytes = 4 << 10

    init(
        _ markers: JPEGMarkers, _ scan: JPEGScan, _ frame: JPEGFrame, _ geometry: JPEGGeometry
    ) throws(JPEGStop) {
        rows = try JPEGUnitRows(scan, markers, frame, geometry)
        planes = try JPEGPlanes(geometry, markers)
        segment = rows.start
        unitRowCount = frame.units.height
        size = geometry.size
        end.offset = scan.offset
    }

    var rowCount: Int { planes.rowCount }
    var isWhole: Bool { unitRow == unitRowCount }
    var isSufficient: Bool { isWhole }

    func read(
        _ file: Span<UInt8>, isComplete: Bool, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(JPEGStop) {
        let hasAll = isComplete || end.findMarker(in: file) != nil
        let count = file.count - segment.bits.next
        guard hasAll || count <= Self.freeBytes || count >= stalledCount + stalledCount / 8 else { return }
        while !isWhole {
            if isCancelled() { throw .cancelled }
            do throws(JPEGStop) {
                try rows.decode(unitRow, file, &segment, into: planes)
            } catch {
                if hasAll { throw error }
                stalledCount = file.count - segment.bits.next
                return
            }
            planes.write(afterUnitRow: unitRow, isLast: unitRow + 1 == unitRowCount, on: canvas)
            unitRow += 1
        }
    }

    func draw(on canvas: Canvas, byteCount: Int, _ isCancelled: () -> Bool) throws(JPEGStop) -> Bool {
        defer { shownRowCount = rowCount }
        return rowCount > shownRowCount
    }
}
