import CEaselPixels
import EaselCore

/// The samples of the last two rows of units, from which rows of pixels are computed.
struct JPEGPlanes: ~Copyable {
    private struct Plane {
        var offset: Int
        var stride: Int
        /// The number of rows in two rows of units.
        var rowCount: Int
    }

    let geometry: JPEGGeometry
    private let colors: JPEGMarkers.Colors
    private let memory: ScratchMemory
    private let planes: [Plane]
    /// The offset of the buffers for resampled rows, one for each component.
    private let wideOffset: Int
    private let wideStride: Int
    private let kernels: easel_instructions
    /// The quantization steps, 64 for each component.
    private let steps: ScratchMemory
    /// The number of rows that are written to the image.
    private(set) var rowCount: Int

    private static let slack = Int(EASEL_SAMPLE_SLACK)

    /// Allocates the samples.
    init(_ geometry: JPEGGeometry, _ markers: JPEGMarkers) throws(JPEGStop) {
        var planes: [Plane] = []
        var end = 0
        for component in geometry.components {
            // Kernels read and write past the end of a row. An odd number of cache lines per row avoids that all rows
            // of a block share a set of the cache.
            let stride = (component.width + Self.slack + 63) & ~63 | 64
            planes.append(Plane(offset: end, stride: stride, rowCount: 2 * component.height))
            end += stride * 2 * component.height
        }
        let wideStride = (geometry.size.width + 2 * Self.slack + 63) & ~63
        let count = end + wideStride * geometry.components.count
        guard let memory = try? ScratchMemory(count: count, for: geometry.size),
            let table = try? ScratchMemory(count: 128 * markers.steps.count, for: geometry.size)
        else { throw .irregular }
        memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        for (index, values) in markers.steps.enumerated() {
            for (position, step) in values.enumerated() {
                table.bytes.storeBytes(of: step, toByteOffset: 128 * index + 2 * position, as: Int16.self)
            }
        }
        self.geometry = geometry
        colors = markers.colors
        kernels = easel_pixels_instructions()
        self.planes = planes
        self.memory = memory
        self.steps = table
        self.wideStride = wideStride
        wideOffset = end
        rowCount = 0
    }

    private func row(_ index: Int, _ y: Int) -> UnsafeMutablePointer<UInt8>? {
        let plane = planes[index]
        let start = plane.offset + y % plane.rowCount * plane.stride
        return memory.bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }
    }

    /// The destination of a row of blocks of a component.
    struct Target {
        fileprivate var start: UnsafeMutablePointer<UInt8>
        fileprivate var stride: Int
        fileprivate let side: Int
        fileprivate let steps: UnsafePointer<Int16>
        fileprivate let kernels: easel_instructions

        /// The means for which `drawMean` gives the same result as the kernels.
        private static let means = -4096...4091

        /// Draws a block that has only a mean. Returns whether the mean is in the range that this supports.
        @inline(__always)
        func drawMean(_ mean: Int, column: Int) -> Bool {
            let value = mean &* Int(steps[0])
            if side == 1 {
                // Wraps around like the transform of libjpeg for this size, which does not use vectors.
                let sample = ((value &+ 4) &>> 3 &+ 512) & 1023 &- 512
                start[column] = UInt8(truncatingIfNeeded: min(max(sample &+ 128, 0), 255))
                return true
            }
            guard Self.means.contains(value) else { return false }
            let sample = min(max((value &+ 4) &>> 3 &+ 128, 0), 255)
            // Always writes 8 bytes. Blocks are drawn from left to right, so that the next ones overwrite those beyond.
            let samples = UInt64(truncatingIfNeeded: sample) &* 0x0101_0101_0101_0101
            let target = UnsafeMutableRawPointer(start + column &* side)
            for row in 0..<side { target.storeBytes(of: samples, toByteOffset: row &* stride, as: UInt64.self) }
            return true
        }

        /// Draws a block of 64 coefficients in a column of blocks.
        @inline(__always)
        func draw(
            _ block: UnsafeMutablePointer<Int16>, column: Int, isLow: Bool, clears: Bool
        ) {
            if side == 1 {
                _ = drawMean(Int(block[0]), column: column)
                if clears { block.update(repeating: 0, count: 64) }
            } else {
                easel_transform(
                    kernels, Int32(side), block, steps, start + column &* side, stride, isLow, clears)
            }
        }
    }

    /// Returns the destination of a row of a component's blocks.
    func target(_ index: Int, blockRow row: Int) -> Target? {
        let side = geometry.components[index].side
        guard let start = self.row(index, row * side), let steps = steps.bytes.baseAddress else { return nil }
        return Target(
            start: start, stride: planes[index].stride, side: side,
            steps: UnsafePointer((steps + 128 * index).assumingMemoryBound(to: Int16.self)), kernels: kernels)
    }

    /// Writes the image rows from `rowCount` on for which all samples are available after a row of units.
    ///
    /// - Parameter canvas: the image, in rows of `geometry.size.width` pixels.
    mutating func write(afterUnitRow row: Int, isLast: Bool, on canvas: Canvas) {
        for (index, component) in geometry.components.enumerated() where component.isSmooth && component.across == 2 {
            // The last sample is repeated as its own neighbour.
            for y in 0..<component.height {
                guard let samples = self.row(index, row * component.height + y) else { continue }
                samples[component.size.width] = samples[component.size.width - 1]
            }
        }
        let end = isLast ? geometry.size.height : min((row + 1) * geometry.height - geometry.lag, geometry.size.height)
        while rowCount < end {
            writeRow(rowCount, to: canvas.row(rowCount))
            rowCount += 1
        }
    }

    private func writeRow(_ y: Int, to pixels: UnsafeMutablePointer<UInt32>) {
        let count = geometry.size.width
        guard let first = samples(0, y) else { return }
        switch colors {
        case .gray:
            for x in 0..<count { pixels[x] = UInt32(first[x]) &* 0x01_0101 | 0xFF00_0000 }
        case .ycc, .ycck:
            guard let blue = samples(1, y), let red = samples(2, y) else { return }
            let bytes = UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt8.self)
            easel_color_samples(kernels, first, blue, red, bytes, count)
            guard colors == .ycck, let black = samples(3, y) else { return }
            for x in 0..<count {
                let inks = ~pixels[x].byteSwapped &>> 8 & 0xFF_FFFF
                pixels[x] = inks | UInt32(black[x]) &<< 24
            }
        case .rgb:
            guard let green = samples(1, y), let blue = samples(2, y) else { return }
            for x in 0..<count {
                pixels[x] = UInt32(blue[x]) | UInt32(green[x]) &<< 8 | UInt32(first[x]) &<< 16 | 0xFF00_0000
            }
        case .cmyk:
            guard let magenta = samples(1, y), let yellow = samples(2, y), let black = samples(3, y) else { return }
            for x in 0..<count {
                pixels[x] =
                    UInt32(first[x]) | UInt32(magenta[x]) &<< 8 | UInt32(yellow[x]) &<< 16 | UInt32(black[x]) &<< 24
            }
        }
    }

    /// Returns a component's samples for a row of the image, resampled to its width.
    private func samples(_ index: Int, _ y: Int) -> UnsafePointer<UInt8>? {
        let component = geometry.components[index]
        guard
            let wide = memory.bytes.baseAddress.map({
                ($0 + wideOffset + index * wideStride).assumingMemoryBound(to: UInt8.self)
            })
        else { return nil }
        let count = component.size.width
        let near = y / 2
        let far = min(max(y % 2 == 0 ? near - 1 : near + 1, 0), component.size.height - 1)
        switch (component.isSmooth, component.across, component.down) {
        case (true, 2, 1):
            easel_widen(kernels, row(index, y), wide, count)
        case (true, 1, 2):
            easel_blend_samples(kernels, row(index, near), row(index, far), wide, y % 2 == 0 ? 1 : 2, count)
        case (true, _, _):
            easel_widen_between(kernels, row(index, near), row(index, far), wide, count)
        case (false, let across, let down):
            guard let samples = row(index, y / down) else { return nil }
            if across == 1 { return UnsafePointer(samples) }
            for x in 0..<geometry.size.width { wide[x] = samples[x / across] }
        }
        return UnsafePointer(wide)
    }
}
