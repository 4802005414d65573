import EaselCore

/// The sizes at which the components of a JPEG are drawn, and how they are resampled to the image.
struct JPEGGeometry {
    struct Component {
        /// The width and height of a block in samples: 1, 2, 4 or 8.
        var side: Int
        /// The samples that the image needs.
        var size: PixelSize
        /// The factors by which samples are repeated or, if smooth, blended with their neighbours.
        var across: Int
        var down: Int
        var isSmooth: Bool
        /// The width and height of a row of units in samples.
        var width: Int
        var height: Int
    }

    /// The size of the decoded image.
    let size: PixelSize
    let components: [Component]
    /// The number of image rows in a row of units.
    let height: Int
    /// The number of image rows that need samples of the next row of units.
    let lag: Int

    /// Computes the sizes as libjpeg does: components with fewer samples are drawn larger if that avoids resampling.
    ///
    /// - Throws: `JPEGStop.irregular` for sampling factors that are not multiples of each other.
    init(_ frame: JPEGFrame, denominator: Int) throws(JPEGStop) {
        let least = 8 / denominator
        size = PixelSize(
            JPEGFrame.divideRoundingUp(frame.size.width, denominator),
            JPEGFrame.divideRoundingUp(frame.size.height, denominator))
        height = frame.down * least
        var components: [Component] = []
        for component in frame.components {
            var side = least
            while side < 8, frame.across * least % (component.across * side * 2) == 0,
                frame.down * least % (component.down * side * 2) == 0
            { side *= 2 }
            let width = JPEGFrame.divideRoundingUp(frame.size.width * component.across * side, frame.across * 8)
            let height = JPEGFrame.divideRoundingUp(frame.size.height * component.down * side, frame.down * 8)
            let (across, down) = (component.across * side / least, component.down * side / least)
            guard frame.across % across == 0, frame.down % down == 0 else { throw .irregular }
            let factors = (frame.across / across, frame.down / down)
            let isSmooth = factors == (1, 2) || (width > 2 && (factors == (2, 1) || factors == (2, 2)))
            components.append(
                Component(
                    side: side, size: PixelSize(width, height), across: factors.0, down: factors.1,
                    isSmooth: isSmooth && least > 1, width: frame.units.width * component.across * side,
                    height: component.down * side))
        }
        self.components = components
        lag = components.contains { $0.isSmooth && $0.down == 2 } ? 1 : 0
    }
}
