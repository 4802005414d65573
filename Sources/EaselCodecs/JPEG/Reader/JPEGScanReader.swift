import EaselCore

/// A reader of an image in several scans. It decodes a scan when all its data has arrived.
final class JPEGScanReader: JPEGReading {
    private var markers: JPEGMarkers
    private let frame: JPEGFrame
    private let geometry: JPEGGeometry
    private let scale: JPEGScale
    private var coefficients: JPEGCoefficients
    /// The scan to decode next, if its header was read.
    private var next: JPEGScan?
    /// The search for the marker after the scan.
    private var end = JPEGSegments()
    private var scanCount = 0
    private var progress = ScanProgress()
    private(set) var rowCount = 0
    private(set) var isWhole = false
    private(set) var isSufficient = false

    /// A limit above what encoders write. Each scan costs a pass over the image.
    private static let maximumScanCount = 200

    init(
        _ markers: JPEGMarkers, _ scan: JPEGScan, _ frame: JPEGFrame, _ geometry: JPEGGeometry, _ scale: JPEGScale
    ) throws(JPEGStop) {
        guard scan.hasMeans(of: frame) || !scale.usesFirstScanOnly else { throw .irregular }
        coefficients = try JPEGCoefficients(frame, keepsMeans: scale.usesFirstScanOnly)
        self.markers = markers
        self.frame = frame
        self.geometry = geometry
        self.scale = scale
        next = scan
        end.offset = scan.offset
    }

    var size: PixelSize { geometry.size }

    func read(
        _ file: Span<UInt8>, isComplete: Bool, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(JPEGStop) {
        while !isWhole {
            if let scan = next {
                guard isComplete || end.findMarker(in: file) != nil else { return }
                try read(scan, file, isCancelled)
            } else {
                do throws(JPEGStop) {
                    next = try markers.readScan(in: file)
                } catch {
                    guard error == .incomplete, !isComplete else { throw .irregular }
                    return
                }
                if let next {
                    end.offset = next.offset
                } else {
                    guard coefficients.isWhole else { throw .irregular }
                    (isWhole, isSufficient) = (true, true)
                }
            }
        }
        // The other scans are not used, but without an end marker the file is truncated.
        if scale.usesFirstScanOnly, isComplete, !markers.segments.hasEnd(in: file) { throw .irregular }
    }

    private func read(_ scan: JPEGScan, _ file: Span<UInt8>, _ isCancelled: () -> Bool) throws(JPEGStop) {
        scanCount += 1
        guard scanCount <= Self.maximumScanCount else { throw .irregular }
        markers.segments.offset = try coefficients.read(scan, markers, file, isCancelled: isCancelled)
        next = nil
        isWhole = scale.usesFirstScanOnly
        isSufficient =
            isSufficient || isWhole || (scale.denominator > 1 && coefficients.areSufficient(geometry, markers.steps))
    }

    func draw(on canvas: Canvas, byteCount: Int, _ isCancelled: () -> Bool) throws(JPEGStop) -> Bool {
        guard coefficients.hasAllComponents,
            progress.startPass(scans: scanCount, bytes: byteCount, hasEnded: isWhole)
        else { return false }
        var planes = try JPEGPlanes(geometry, markers)
        let count = frame.units.height
        for row in 0..<count {
            if isCancelled() { throw .cancelled }
            coefficients.draw(row, into: planes)
            planes.write(afterUnitRow: row, isLast: row + 1 == count, on: canvas)
        }
        rowCount = size.height
        return true
    }
}
