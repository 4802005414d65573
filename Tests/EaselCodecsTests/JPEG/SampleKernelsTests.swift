import CEaselPixels
import EaselTesting
import Testing

/// Every variant of the JPEG reader's kernels has the same bytes as simple loops.
@Suite("JPEG: kernels")
struct SampleKernelsTests {
    private static let instructionSets = [EASEL_BASELINE, easel_pixels_instructions()]
    private static let slack = Int(EASEL_SAMPLE_SLACK)

    /// The accurate transform of libjpeg for one line, before rounding.
    private static func transformLine(_ line: [Int16]) -> [Int32] {
        let v = line.map { Int($0) }
        let z1 = (v[2] + v[6]) * 4433
        let (inner, outer) = (z1 - v[6] * 15137, z1 + v[2] * 6270)
        let (sum, difference) = (Int(line[0] &+ line[4]) << 13, Int(line[0] &- line[4]) << 13)
        let even = [sum + outer, difference + inner, difference - inner, sum - outer]
        let (z3, z4) = (Int(line[7] &+ line[3]), Int(line[5] &+ line[1]))
        let z5 = (z3 + z4) * 9633
        let (third, fourth) = (z5 - z3 * 16069, z5 - z4 * 3196)
        let (first, second) = ((v[7] + v[1]) * -7373, (v[5] + v[3]) * -20995)
        let odd: [Int] = [
            v[1] * 12299 + first + fourth, v[3] * 25172 + second + third, v[5] * 16819 + second + fourth,
            v[7] * 2446 + first + third,
        ]
        let (upper, lower) = ((0..<4).map { even[$0] + odd[$0] }, (0..<4).map { even[$0] - odd[$0] })
        let sums: [Int] = upper + lower.reversed()
        return sums.map { Int32(truncatingIfNeeded: $0) }
    }

    private static func halveLine(_ line: [Int16]) -> [Int32] {
        let v = line.map { Int($0) }
        let turn = v[2] * 15137 - v[6] * 6270
        let even = [v[0] << 14 + turn, v[0] << 14 - turn]
        let odd: [Int] = [
            v[1] * 20995 + v[3] * 7373 - v[5] * 4926 - v[7] * 4176,
            v[1] * 8697 - v[3] * 17799 + v[5] * 11893 - v[7] * 1730,
        ]
        let sums: [Int] = [even[0] + odd[0], even[1] + odd[1], even[1] - odd[1], even[0] - odd[0]]
        return sums.map { Int32(truncatingIfNeeded: $0) }
    }

    private static func quarterLine(_ line: [Int16]) -> [Int32] {
        let v = line.map { Int($0) }
        let odd = v[1] * 29692 - v[3] * 10426 + v[5] * 6967 - v[7] * 5906
        let sums: [Int] = [v[0] << 15 + odd, v[0] << 15 - odd]
        return sums.map { Int32(truncatingIfNeeded: $0) }
    }

    private static func rounded(_ sum: Int32, _ shift: Int) -> Int {
        let half = Int32(1) << Int32(shift - 1)
        return Int((sum &+ half) >> Int32(shift))
    }

    private static func transformBlock(_ block: [Int16], _ steps: [Int16], side: Int) -> [UInt8] {
        func pass(_ line: [Int16]) -> [Int32] {
            switch side {
            case 8: transformLine(line)
            case 4: halveLine(line)
            default: quarterLine(line)
            }
        }
        let shift = side == 8 ? 11 : side == 4 ? 12 : 13
        let values = zip(block, steps).map { value, step in value &* step }
        let otherIndices = (8..<64).filter { side == 8 || $0 / 8 != 4 }
        // libjpeg-turbo's vector code treats a block with only the first row like this.
        let isFlat = side != 2 && otherIndices.allSatisfy { block[$0] == 0 }
        var columns: [[Int16]] = []
        for column in 0..<8 {
            let line = (0..<8).map { values[$0 * 8 + column] }
            if isFlat {
                columns.append([Int16](repeating: line[0] << 2, count: side))
            } else {
                columns.append(pass(line).map { Int16(clamping: rounded($0, shift)) })
            }
        }
        return (0..<side).flatMap { row in
            let sums: [Int32] = pass(columns.map { $0[row] })
            return sums.map { sum -> UInt8 in UInt8(min(max(rounded(sum, shift + 7), -128), 127) + 128) }
        }
    }

    @Test("blocks are transformed as in libjpeg", arguments: [8, 4, 2])
    func transform(side: Int) {
        var random = SeededGenerator(seed: UInt64(side))
        for round in 0..<3000 {
            let isLow = round % 3 == 0
            let most = round % 5 == 0 ? 32767 : round % 7 == 0 ? 1023 : 60
            var block = [Int16](repeating: 0, count: 64)
            for index in 0..<64 where !isLow || (index % 8 < 4 && index < 32) {
                if round % 4 == 1, index >= 8 { continue }
                if Int.random(in: 0..<3, using: &random) == 0 || index == 0 {
                    // The first value of a quarter is not clamped beyond 16 bits, which valid files do not need.
                    let most = side == 2 ? min(most, 1023) : most
                    block[index] = Int16(Int.random(in: -most...most, using: &random))
                }
            }
            let largest: Int16 = round % 2 == 1 ? 1 : side == 2 ? 2 : 12
            let steps = (0..<64).map { _ in Int16.random(in: 1...largest, using: &random) }
            let expected = Self.transformBlock(block, steps, side: side)
            for instructions in Self.instructionSets {
                var samples = [UInt8](repeating: 7, count: side * (side + 3))
                var changed = block
                easel_transform(instructions, Int32(side), &changed, steps, &samples, side + 3, isLow, round % 2 == 0)
                let rows = (0..<side).flatMap { samples[($0 * (side + 3))..<($0 * (side + 3) + side)] }
                #expect(rows == expected, "round \(round)")
                #expect(changed == (round % 2 == 0 ? Array(repeating: 0, count: 64) : block))
                // Bytes outside the rows are unchanged.
                #expect((0..<side).allSatisfy { samples[$0 * (side + 3) + side] == 7 })
            }
        }
    }

    private func row(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        var row = (0..<(count + Self.slack)).map { _ in UInt8.random(in: 0...255, using: &random) }
        row[count] = row[count - 1]
        return row
    }

    @Test("samples are blended with their neighbors")
    func widen() {
        var random = SeededGenerator(seed: 5)
        for count in 1...70 {
            let (near, far) = (row(count, &random), row(count, &random))
            let sums = (0...count).map { Int(near[$0]) * 3 + Int(far[$0]) }
            var (wide, between, blended): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            for x in 0..<count {
                let (left, right) = (max(x - 1, 0), min(x + 1, count - 1))
                wide.append(UInt8((Int(near[x]) * 3 + Int(near[left]) + 1) >> 2))
                wide.append(UInt8((Int(near[x]) * 3 + Int(near[right]) + 2) >> 2))
                between.append(UInt8((sums[x] * 3 + sums[left] + 8) >> 4))
                between.append(UInt8((sums[x] * 3 + sums[right] + 7) >> 4))
                blended.append(UInt8((sums[x] + 2) >> 2))
            }
            for instructions in Self.instructionSets {
                var result = [UInt8](repeating: 0, count: 2 * count + Self.slack)
                easel_widen(instructions, near, &result, count)
                #expect(result.prefix(2 * count) == wide[...])
                easel_widen_between(instructions, near, far, &result, count)
                #expect(result.prefix(2 * count) == between[...])
                easel_blend_samples(instructions, near, far, &result, 2, count)
                #expect(result.prefix(count) == blended[...])
            }
        }
    }

    @Test("every color is converted")
    func colors() {
        var random = SeededGenerator(seed: 6)
        let count = 256 + 5
        for blue in 0..<256 {
            let y = row(count, &random)
            let cb = [UInt8](repeating: UInt8(blue), count: count + Self.slack)
            let cr = (0..<(count + Self.slack)).map { UInt8(truncatingIfNeeded: $0) }
            var expected: [UInt8] = []
            for x in 0..<count {
                let (light, b, r) = (Int(y[x]), blue - 128, Int(cr[x]) - 128)
                let green = light + (-22554 * b - 46802 * r + 32768) >> 16
                let components: [Int] = [light + (116130 * b + 32768) >> 16, green, light + (91881 * r + 32768) >> 16]
                expected += components.map { UInt8(min(max($0, 0), 255)) } + [255]
            }
            for instructions in Self.instructionSets {
                var pixels = [UInt8](repeating: 9, count: 4 * count + 4)
                easel_color_samples(instructions, y, cb, cr, &pixels, count)
                let isSame = pixels == expected + [9, 9, 9, 9]
                #expect(isSame)
            }
        }
    }
}
