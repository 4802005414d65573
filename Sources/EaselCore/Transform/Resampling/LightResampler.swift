extension PixelBuffer {
    /// Returns the image scaled in linear light instead of levels: a checkerboard of black and white becomes 188, not 128.
    /// Several times as slow. Assumes sRGB's curve, which all images have except unconverted ones.
    func resizedInLinearLight(
        to size: PixelSize, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        guard size != self.size else { return self }
        var rows = LightRows(self, size)
        var resampler = LightResampler(rows.size, extent: rows.extent, to: size)
        return try .drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
            let light = resampler.row(y) { rows.read($0, into: $1) }
            for x in 0..<size.width {
                let color = SIMD4(light[x * 4], light[x * 4 + 1], light[x * 4 + 2], light[x * 4 + 3])
                target[x] = LinearLight.shared.pixel(of: color)
            }
        }
    }
}

/// Resamples rows of pixels of four floating-point numbers, in order.
struct LightResampler {
    private let rows: LightWeights
    private let columns: LightWeights
    private var ring: LightRing
    private var nextRow = 0
    private var line: [Float]
    private var result: [Float]

    /// - Parameter extent: the size of the source pixels if the last ones represent less than a whole.
    init(_ source: PixelSize, extent: (width: Double, height: Double)? = nil, to size: PixelSize) {
        let extent = extent ?? (Double(source.width), Double(source.height))
        columns = LightWeights(
            ResamplerWeights(sourceCount: source.width, extent: extent.width, targetCount: size.width))
        rows = LightWeights(
            ResamplerWeights(sourceCount: source.height, extent: extent.height, targetCount: size.height))
        ring = LightRing(width: source.width, rowCount: rows.places.taps)
        line = [Float](repeating: 0, count: ring.rowLength)
        result = [Float](repeating: 0, count: size.width * 4)
    }

    /// Returns row `y` of the result, four numbers a pixel. Rows are requested in order.
    ///
    /// - Parameter read: writes a row of the source. Rows that contribute to no row of the result are not read.
    mutating func row(_ y: Int, _ read: (_ row: Int, UnsafeMutableBufferPointer<Float>) -> Void) -> [Float] {
        let start = Int(rows.places.starts[y])
        while nextRow < start + rows.places.taps {
            if nextRow >= start { ring.withRow(nextRow) { read(nextRow, $0) } }
            nextRow += 1
        }
        line.withUnsafeMutableBufferPointer { line in
            PixelKernels.best.blendLightRows(
                ring, first: start % ring.rowCount, weights: rows.weights(of: y), into: line)
            result.withUnsafeMutableBufferPointer { result in
                PixelKernels.best.blendLightColumns(UnsafeBufferPointer(line), columns, into: result)
            }
        }
        return result
    }
}

/// The resampler's weights as floating-point numbers of the same values.
struct LightWeights {
    let places: ResamplerWeights
    let values: [Float]

    init(_ places: ResamplerWeights) {
        self.places = places
        var values: [Float] = []
        places.withUnsafeWeights { starts, weights in
            values = (0..<places.starts.count * places.stride).map { Float(weights[$0]) / Float(ResamplerWeights.one) }
        }
        self.values = values
    }

    func weights(of target: Int) -> ArraySlice<Float> {
        values[(target * places.stride)..<(target * places.stride + places.taps)]
    }
}

/// The rows that the filter reads at a time. Row `n` of the source is at `n % rowCount`.
struct LightRing {
    let rowCount: Int
    /// Numbers in a row: a multiple of 16, with zeros after its pixels and the slack that kernels read.
    let rowLength: Int
    var values: [Float]

    init(width: Int, rowCount: Int) {
        self.rowCount = rowCount
        rowLength = ((width + ResamplerWeights.slack) * 4 + 15) & ~15
        values = [Float](repeating: 0, count: rowLength * rowCount)
    }

    mutating func withRow(_ row: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        let start = row % rowCount * rowLength
        values.withUnsafeMutableBufferPointer {
            body(UnsafeMutableBufferPointer(rebasing: $0[start..<(start + rowLength)]))
        }
    }
}

/// The light of an image's rows, or of rows of blocks if it shrinks a lot.
private struct LightRows {
    private let source: PixelBuffer
    private let block: PixelSize
    /// In blocks.
    let size: PixelSize
    private var sums: [Float]

    init(_ source: PixelBuffer, _ target: PixelSize) {
        self.source = source
        block = ResamplerBlocks.size(from: source.size, to: target)
        size = ResamplerBlocks.count(of: block, in: source.size)
        sums = [Float](repeating: 0, count: source.width * 4)
    }

    var extent: (width: Double, height: Double) {
        (Double(source.width) / Double(block.width), Double(source.height) / Double(block.height))
    }

    /// Writes the means of a row of blocks. The right and the bottom edge may cut a block.
    mutating func read(_ row: Int, into line: UnsafeMutableBufferPointer<Float>) {
        let first = row * block.height
        let rowCount = min(block.height, source.height - first)
        let (width, side) = (source.width, block.width)
        let whole = width / side
        let kernels = PixelKernels.best
        source.withUnsafeBytes { bytes in
            let rows = UnsafeRawBufferPointer(rebasing: bytes[(first * source.bytesPerRow)...])
            func add(into sums: UnsafeMutableBufferPointer<Float>) {
                kernels.addLight(
                    rows, bytesPerRow: source.bytesPerRow, rowCount: rowCount, LinearLight.shared.lights, into: sums,
                    count: width)
            }
            // The sums of blocks of one pixel are the means.
            guard side * rowCount > 1 else { return add(into: line) }
            sums.withUnsafeMutableBufferPointer { sums in
                add(into: sums)
                let columns = UnsafeBufferPointer(sums)
                kernels.averageLight(columns, blockWidth: side, area: side * rowCount, into: line, count: whole)
                let rest = width - whole * side
                guard rest > 0 else { return }
                kernels.averageLight(
                    UnsafeBufferPointer(rebasing: columns[(whole * side * 4)...]), blockWidth: rest,
                    area: rest * rowCount, into: UnsafeMutableBufferPointer(rebasing: line[(whole * 4)...]), count: 1)
            }
        }
    }
}
/// The curve of sRGB and Display P3 (IEC 61966-2-1), between 8-bit levels and light from 0 to 1.
struct LinearLight: Sendable {
    let lights: [Float]
    /// The nearest level to each of 65,536 lights: 20 of them make a level where the curve is steepest.
    private let levels: [UInt8]

    static let shared = LinearLight()

    private init() {
        lights = Self.exactLights.map { Float($0) }
        levels = (0...65_535).map { Self.nearestLevel(ofLight: Double($0) / 65_535) }
    }

    /// The light of each level in double precision.
    static let exactLights: [Double] = (0...255).map { light(ofLevel: Double($0) / 255) }

    static func light(ofLevel level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : ReproducibleMath.power((level + 0.055) / 1.055, 2.4)
    }

    static func level(ofLight light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * ReproducibleMath.power(light, 1 / 2.4) - 0.055
    }

    /// Returns the nearest 8-bit level; light out of range is cut off.
    static func nearestLevel(ofLight light: Double) -> UInt8 {
        UInt8((level(ofLight: light.bounded(0...1)) * 255).rounded())
    }

    /// The premultiplied pixel of a light, which the filter's overshoot may exceed.
    @inline(__always)
    func pixel(of light: SIMD4<Float>) -> UInt32 {
        let opacity = Swift.min(Swift.max(light.w, 0), 1)
        let alpha = UInt32(opacity * 255 + 0.5)
        guard alpha > 0 else { return 0 }
        if alpha == 255 {
            let color = level(light.x) | level(light.y) << 8 | level(light.z) << 16
            return 0xFF00_0000 | color
        }
        func premultiplied(_ light: Float) -> UInt32 { (level(light / opacity) &* alpha &+ 127) / 255 }
        let color = premultiplied(light.x) | premultiplied(light.y) << 8 | premultiplied(light.z) << 16
        return alpha << 24 | color
    }

    @inline(__always)
    private func level(_ light: Float) -> UInt32 {
        UInt32(levels[Int(Swift.min(Swift.max(light, 0), 1) * 65_535 + 0.5)])
    }
}
