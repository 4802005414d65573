import EaselTesting
import Testing

@testable import EaselCore

@Suite("Flipping, rotating and scaling (X183, B96)")
struct GeometryTransformTests {
    @Test("a flip mirrors each pixel", arguments: [(1, 1), (7, 4), (64, 3), (5, 33)])
    func flip(width: Int, height: Int) throws {
        let image = try TransformFixture.noise(width, height)
        let across = try image.applying([.flip(.horizontal)])
        let down = try image.applying([.flip(.vertical)])
        for y in 0..<height {
            for x in 0..<width {
                #expect(across.pixels[width - 1 - x, y] == image.pixels[x, y])
                #expect(down.pixels[x, height - 1 - y] == image.pixels[x, y])
            }
        }
    }

    @Test(
        "a counter-clockwise rotation by 90 degrees moves the right column up", arguments: [(1, 1), (7, 4), (40, 33)])
    func quarter(width: Int, height: Int) throws {
        let image = try TransformFixture.noise(width, height)
        let rotated = try image.applying([.rotate(degrees: 90)])
        #expect(rotated.size == PixelSize(height, width))
        for y in 0..<height {
            for x in 0..<width { #expect(rotated.pixels[y, width - 1 - x] == image.pixels[x, y]) }
        }
    }

    @Test("rotations add up", arguments: [(1, 1), (7, 4), (40, 33)])
    func turns(width: Int, height: Int) throws {
        let image = try TransformFixture.translucentNoise(width, height)
        let quarter = ImageTransform.rotate(degrees: 90)
        let four = try image.applying([quarter, quarter, quarter, quarter])
        #expect(four.difference(from: image) <= .exact)
        let half = try image.applying([quarter, quarter])
        #expect(half.difference(from: try image.applying([.rotate(degrees: 180)])) <= .exact)
        #expect(half.difference(from: try image.applying([.flip(.horizontal), .flip(.vertical)])) <= .exact)
        let three = try image.applying([quarter, quarter, quarter])
        #expect(three.difference(from: try image.applying([.rotate(degrees: -90)])) <= .exact)
    }

    @Test("two equal flips have no effect", arguments: FlipAxis.allCases)
    func flipTwice(axis: FlipAxis) throws {
        let image = try TransformFixture.translucentNoise(13, 9)
        #expect(try image.applying([.flip(axis), .flip(axis)]).difference(from: image) <= .exact)
    }

    /// Values from `rotate(30, BILINEAR)` and `rotate(-17.5, BILINEAR)` of Pillow 13 for `noise(12, 9)`. Only interior
    /// pixels are compared, because Pillow draws edges differently.
    @Test(
        "other angles match Pillow within two levels",
        arguments: [
            (
                30.0,
                "AAAAAAAAAAAAAAAAAAAAADzcnf+4Qc3/MSdI/y9Bd/92323/sd9x/9N9XP8AAAAAAAAAAAAAAACzCAf/xi2o/2xKcv91F4T/lEJ//1Rxh/8jzE7/icFs/2O9m/8AAAAAIDdj/3dqZP+0iFP/vHJ7/5IY0f9tJMz/yZdT/3l4uv99g5j/aVuZ/xuzi/8rvDL/N3Zb/0+HHf+81lr/S+Qa/2tSjv+LSz7/nKFi/4CYj/+nV3D/SSaT/0ezhP8utX//jIWV/1i8lP+Tu3D/0G+D/6+ti/+Dk5b/hJmd/3F1VP+Cbkz/sqFQ/7d8Wv97L0H/wqqS/5GMT/+B3n7/c2bR/zvAmv9molT/aIVK/3mJef8tO2H/fNsn/4xMav+JhmT/RtbE/2NJgf+hfJD/n5OF/5g2Ef9zVC7/IZ7L/5yHkf94lZP/g75I/4hmLf+Lmkv/AAAAAFc2tP9y1rz/bZyA/51/i/+YSGX/q7lE/5ubbf9fg6z/9uko/wAAAAAAAAAAAAAAANuMW/9zwo7/LaVv/4tInv+VIZD/nqWY/6iZy/8AAAAAAAAAAAAAAAAAAAAA"
            ),
            (
                -17.5,
                "AAAAAOJvYf91kaz/SYUZ/6Swb/+0TSz/xCqb/0TInf8AAAAAAAAAAAAAAAAAAAAAAAAAAJetkP9nypD/br+D/7PbPf+QolP/yBe//0hRTf+3PM//FFaN/xFAov8AAAAAFkPp/2ZNfv+Wmlb/poKO/7aeYv9djHT/bxvo/34nkf+EL4v/NxlK/0Q+m/9vyzn/plJ3/2JqoP/Yzpr/XHrc/46yo/+DXmD/lFY6/7aHWf+bZI//O5Nc/2HIZf/F7nD/lsWP/1bJnf+Na1n/ej9D/2fFX/+BsaP/gJec/4y6ff+Aa6//HK9w/37hbf+7z2n/Zs9c/0Chef9/np7/l0dT/2BtQf9bgkL/k4Zm/3N7af+xVnD/qHi2/0uEb/+li3r/b7lK/3VOdv+ZE6L/rWlh/1uVdv9murH/U15z/3NpQ/93VHP/NXGi/xu2i/8q7aD/AAAAABpJRP+ASFz/qbCS/5zEUf/OLYT/SY+M/3zGKf/QsGH/iI5R/y67bP8AAAAAAAAAAAAAAAAAAAAAAAAAAI2Pz/9dk6f/sdRI/2ykOf+UNW//nSI+/xCBbv8AAAAA"
            ),
        ])
    func angle(degrees: Double, expected: String) throws {
        let rotated = try TransformFixture.noise(12, 9).applying([.rotate(degrees: degrees, fitting: false)])
        let golden = try TransformFixture.golden(expected, 12, 9, channels: 4)
        #expect(rotated.size == golden.size)
        let inside = zip(rotated.allPixels, golden.allPixels).filter { $0.alpha == 255 && $1.alpha == 255 }
        #expect(inside.count > 50)
        for (pixel, wanted) in inside {
            #expect(abs(Int(pixel.red) - Int(wanted.red)) <= 2 && abs(Int(pixel.blue) - Int(wanted.blue)) <= 2)
        }
    }

    @Test(
        "fitting grows the canvas to the rotated image",
        arguments: [
            (45.0, PixelSize(100, 100), PixelSize(142, 142)), (30.0, PixelSize(100, 50), PixelSize(112, 94)),
            (-30.0, PixelSize(100, 50), PixelSize(112, 94)), (90.0, PixelSize(100, 50), PixelSize(50, 100)),
            (0.001, PixelSize(10, 10), PixelSize(10, 10)), (45.0, PixelSize(1, 1), PixelSize(2, 2)),
        ])
    func fitting(degrees: Double, size: PixelSize, expected: PixelSize) throws {
        let image = try TestImage.gradient(size.width, size.height).image()
        #expect(try image.applying([.rotate(degrees: degrees)]).size == expected)
        #expect(try image.applying([.rotate(degrees: degrees, fitting: false)]).size == size)
    }

    @Test("without fitting a rotation of 90 degrees is clipped, and uncovered pixels are clear")
    func cutQuarter() throws {
        let image = try TransformFixture.noise(7, 3)
        let rotated = try image.applying([.rotate(degrees: 90, fitting: false)])
        #expect(rotated.size == image.size)
        let turned = try image.applying([.rotate(degrees: 90)])
        for y in 0..<3 {
            for x in 0..<3 { #expect(rotated.pixels[x + 2, y] == turned.pixels[x, y + 2]) }
        }
        #expect(rotated.pixels[1, 1].alpha == 0 && rotated.pixels[5, 1].alpha == 0)
        #expect(!rotated.pixels.isOpaque)
    }

    @Test("angles of equal rotation are equal transforms")
    func angles() {
        #expect(ImageTransform.rotate(degrees: 450) == .rotate(degrees: 90))
        #expect(ImageTransform.rotate(degrees: -90) == .rotate(degrees: 270))
        #expect(ImageTransform.rotate(degrees: -0.0) == .rotate(degrees: 360))
        #expect(ImageTransform.rotate(degrees: .nan) == .rotate(degrees: 0))
    }

    @Test(
        "an image is scaled up only if requested (B96)",
        arguments: [
            (TargetSize.pixels(width: 20, height: 20), PixelSize(20, 12), PixelSize(10, 6)),
            (TargetSize.pixels(width: 20, height: 20, mode: .aspectFill), PixelSize(34, 20), PixelSize(10, 6)),
            (TargetSize.pixels(width: 20, height: 20, mode: .fill), PixelSize(20, 20), PixelSize(10, 6)),
            (TargetSize.pixels(width: 5, height: 5), PixelSize(5, 3), PixelSize(5, 3)),
            (TargetSize.pixels(width: 0, height: 9), PixelSize(10, 6), PixelSize(10, 6)),
            (TargetSize.points(width: .nan, height: .infinity, scale: 2), PixelSize(10, 6), PixelSize(10, 6)),
        ])
    func upscaling(target: TargetSize, up: PixelSize, down: PixelSize) throws {
        let image = try TransformFixture.noise(10, 6)
        #expect(try image.applying([.resize(target, upscaling: true)]).size == up)
        #expect(try image.applying([.resize(target)]).size == down)
    }

    @Test("resizeToFill covers the box and crops the rest (B96)")
    func fill() throws {
        let image = try TransformFixture.noise(40, 20)
        #expect(try image.applying([.resizeToFill(PixelSize(10, 10))]).size == PixelSize(10, 10))
        #expect(try image.applying([.resizeToFill(PixelSize(50, 30))]).size == PixelSize(40, 20))
        #expect(try image.applying([.resizeToFill(PixelSize(50, 30), upscaling: true)]).size == PixelSize(50, 30))
    }
}
