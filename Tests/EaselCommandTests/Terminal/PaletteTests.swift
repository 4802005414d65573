import Testing

@testable import easel

@Suite struct PaletteTests {
    private func palette(_ colors: [OpaqueColor], limit: Int) -> Palette {
        var histogram = ColorHistogram()
        for color in colors { histogram.add(color) }
        return Palette(of: histogram, limit: limit)
    }

    private let grey = (0..<32).map { (step: UInt8) in OpaqueColor(red: step * 8, green: step * 8, blue: step * 8) }

    @Test func asManyColorsAsFitAreKept() {
        #expect(Set(palette(grey, limit: 256).colors) == Set(grey))
    }

    @Test func theLimitHolds() {
        #expect(palette(grey, limit: 5).colors.count == 5)
    }

    @Test func eachColorIsGivenItsNearest() {
        var palette = palette(grey, limit: 4)
        let dark = palette.index(of: OpaqueColor(red: 2, green: 2, blue: 2))
        let light = palette.index(of: OpaqueColor(red: 250, green: 250, blue: 250))
        #expect(palette.colors[dark].green < 64)
        #expect(palette.colors[light].green > 190)
    }

    @Test func aRareColorFarFromTheRestIsKept() {
        let red = OpaqueColor(red: 255, green: 0, blue: 0)
        let sky = (0..<2000).map { (step: Int) in OpaqueColor(red: 90, green: 150, blue: UInt8(200 + step % 40)) }
        #expect(palette(sky + Array(repeating: red, count: 50), limit: 4).colors.contains(red))
    }

    @Test func anImageWithoutColorsHasAPaletteAllTheSame() {
        #expect(palette([], limit: 16).colors.count == 1)
    }
}
