import EaselTesting
import Testing

@testable import EaselCore

@Suite("Blur and sharpen (B97)")
struct BlurTransformTests {
    /// Values from `GaussianBlur` of Pillow 13 for `noise(12, 9)`, which also filters by three extended boxes.
    @Test(
        "a blur matches Pillow within two levels",
        arguments: [
            (
                0.5,
                "GRmHH3JKNz5koYdYtCortUOrQ76SrVzFH1ORF0uSLLImn3Y5sk1ScICLV406rLxsq49ZtiuxaCZigCaiQiZaPz6Or81xyd1Xz5iKcsWUZ72Nscw3W8c+czLHeC+uumNzcFKQK7tGle54vOplWrCymWtHib2AwFGeuqaLeEFYoXZKrKtfcXKvOLByiMNuvIdoLzPSakWLvMSdT3zHWMyMe6eYgZqZd6CPpGB3nXOqMnSBOtalvoBsdcWljopykEI5hIc2UoVElI1obGJKjGplXEuMKbuaKcNXmdufNK90WqGSqGKGajxIQJugfaOVO0domrIpu5hqfYFJIq6Dj7phX8tIg0iJnTCSvJ5hlLlMqlqLZbR/a8FDlFVmkDNPIUNSUI6LbpJVNE9PeU1hkJukoJu6XYW1yM5EinUsj39EcbV+L1HR"
            ),
            (
                1,
                "RENwQl5lWW1bi3FWpFxgmVWHfGaYbVqeR1CPOWh3XZNTj51EfWVyaXxvbo5ijpNbm3doklGJgEqQdkiOV1CBUHV0e6tipsFXk4qEgZh9gKVykqRoj4tvhlyHh06Ih1mCamp9XpNyhL5sqcxnd4aZgI2FjZqDk5WCjI59hHV8i3F5jnt7eX+DZ5Z9da92jLZ0a3Gge3+Qio6LhYqIe5F9eY54gYp4hoN4g3l/b4GGWpuDVrKAgo6QepSLgYqBgndwd39kb4xsdohxeXtpgXZrdHx5UZV7Oa93hLSBb6Z9doN8hmlygHNmc4lzdIh4c4JmgYhYhIFhY4NoO49sdrFyaZ1rcHFzh2F4kXx2iZB/g46BfpZohJNQh31WbW1lQWZ0ZZxzYYpjY2Zke2J0kIOKkJSYiZaMkaBijZNHhYFTand1RGOW"
            ),
            (
                2.5,
                "aWt4bm52dG91enB2fG95fXB8enB+dnN9c3p6dIJ1dIpudpBobnF6cnN4d3R3fHR4fnN5fnN7e3N9d3Z8dX15dYR1dIxvdpNrc3h+d3l8enp6fnl6f3h6f3d7fHd7eHp7doB4dYd1c49xdJVueICBe4B/fYB8f357gH16f3t6fXt5en55doN3dIp1cZBzcJVxeoeDfIaAfoV+f4N8gIF6f4B5fYB3eoJ3doZ1cot1b5B0bJRzeoqCe4mBfYd+foV8f4N5f4N4foN2e4V1dod0cYp0a451Z5B1d4yBeIp/eoh+fIZ8foV5f4V4foZ1e4d0dohzb4l0aYp2Y4t3c4x/dIp+d4h8eoZ7fIV5foZ3fod0fIhzdohzboh0Z4d2YYZ5b4x9cYl8dId8eIZ7e4V6fod4f4h1fIlzdodzboZ0ZoR3X4J6"
            ),
            (
                6,
                "bG+AbHB+bXF+bnN9bnV7b3Z7cHl5cXp4cXx3cn52c391c4B1bHGAbXF/bnN+bnR9bnZ8b3h7cHp6cXt4cX14cn53coB2c4B2bXOAbnN/bnV/bnZ+bnd9cHl8cHt7cHx6cX55cX94cYB4coF4bnWBbnWAb3d/b3h/b3l+cHp9cHx8cH17cX56cYB6cYF5cYF5bneBb3eAb3mAb3l/b3t+cHx9cH19cH58cH98cIB7cIF6cIF7b3mBb3mBb3uAcHuAb3x/cH1+cH5+cH99cIB9b4F8b4J8b4J8cHuCcHuBcH2BcH2Ab36AcH5/cH9/b4B+cIF+b4J+b4J9boJ+cH2CcH2CcH6BcH6BcH+BcH+AcICAb4F/b4J/boJ/boN/boJ/cX+CcX+CcICCcICCcIGBcICAcIGBb4GAb4KAboOAbYOAbYOA"
            ),
        ])
    func golden(sigma: Double, base64: String) throws {
        let blurred = try TransformFixture.noise(12, 9).applying([.blur(sigma: sigma)])
        let expected = try TransformFixture.golden(base64, 12, 9, channels: 3)
        #expect(blurred.difference(from: expected) <= .tolerance(2, mean: 0.5))
        #expect(blurred.pixels.isOpaque)
    }

    @Test(
        "a blur is the same with and without special instructions",
        arguments: [0.3, 1, 9.7, 40, 70, 300], [(1, 1), (3, 40), (33, 17), (64, 2), (130, 47)])
    func plain(sigma: Double, size: (Int, Int)) throws {
        let source = try TransformFixture.translucentNoise(size.0, size.1).pixels
        let fast = try source.blurred(sigma: sigma) { false }
        let plain = try source.blurred(sigma: sigma, isPlain: true) { false }
        #expect(fast.difference(from: plain) <= .exact)
    }

    @Test("a uniform colour stays exact", arguments: [0.1, 1, 20, 64, 65, 500, 1_000])
    func even(sigma: Double) throws {
        for color in [ImageColor.white, ImageColor(0x010203), ImageColor(0x80FF40, alpha: 77)] {
            let source = try TransformFixture.image(21, 18, isOpaque: color.alpha == 255) { _, _ in color }
            #expect(try source.applying([.blur(sigma: sigma)]).difference(from: source) <= .exact)
        }
    }

    @Test("a sigma that is zero, negative or NaN has no effect", arguments: [0, -3, -Double.infinity, Double.nan])
    func identity(sigma: Double) throws {
        let source = try TransformFixture.noise(5, 5)
        #expect(try source.applying([.blur(sigma: sigma)]).difference(from: source) <= .exact)
        #expect(ImageTransform.blur(sigma: sigma) == .blur(sigma: 0))
    }

    @Test("different sigmas give different images")
    func distinct() throws {
        let source = try TransformFixture.noise(20, 20)
        let results = try [0.4, 0.8, 2, 2.1, 8].map { try source.applying([.blur(sigma: $0)]).allPixels }
        #expect(Set(results).count == results.count)
    }

    @Test("a cancelled blur throws")
    func cancellation() throws {
        let source = try TransformFixture.noise(5, 5)
        #expect(throws: ImageError.cancelled) { try source.pixels.blurred(sigma: 1) { true } }
    }

    @Test("sharpening adds the difference from the blurred image and keeps alpha")
    func sharpen() throws {
        let source = try TransformFixture.translucentNoise(19, 11)
        let sharp = try source.applying([.sharpen(sigma: 1.5, amount: 0.75)]).allPixels
        let soft = try source.applying([.blur(sigma: 1.5)]).allPixels
        for (index, pixel) in source.allPixels.enumerated() {
            let level = Double(pixel.green) + 0.75 * (Double(pixel.green) - Double(soft[index].green))
            let expected = min(max(level, 0), Double(pixel.alpha))
            #expect(abs(Double(sharp[index].green) - expected) <= 0.51)
            #expect(sharp[index].alpha == pixel.alpha)
        }
    }
}
