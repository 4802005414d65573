import EaselCore

/// The sizes in which the components of a JPEG are drawn, and how they become those of the image.
struct JPEGGeometry {
    /// How the rows of a component become those of the image.
    enum Resampling {
        /// Each sample is repeated.
        case repeated(across: Int, down: Int)
        /// Twice as many samples, blended with their neighbors to the sides, above and below, or both.
        case wide, tall, both
    }

    struct Component {
        /// The samples across and down a block: 1, 2, 4 or 8.
        var side: Int
        /// Samples that the image needs.
        var size: PixelSize
        var resampling: Resampling
        /// Samples across and down that all blocks of a row of units have.
        var width: Int
        var height: Int
    }

    /// The image that comes out.
    let size: PixelSize
    let components: [Component]
    /// Rows of the image that a row of units has.
    let height: Int
    /// Rows of it that wait for the next row of units.
    let lag: Int

    /// By the rules of libjpeg: components of fewer samples are drawn larger where that spares resampling.
    ///
    /// - Throws: `JPEGStop.irregular` for samplings that are no multiples of each other.
    init(_ frame: JPEGFrame, denominator: Int) throws(JPEGStop) {
        let least = 8 / denominator
        size = PixelSize(
            JPEGFrame.quotient(frame.size.width, denominator), JPEGFrame.quotient(frame.size.height, denominator))
        height = frame.down * least
        var components: [Component] = []
        for component in frame.components {
            var side = least
            while side < 8, frame.across * least % (component.across * side * 2) == 0,
                frame.down * least % (component.down * side * 2) == 0
            { side *= 2 }
            let width = JPEGFrame.quotient(frame.size.width * component.across * side, frame.across * 8)
            let height = JPEGFrame.quotient(frame.size.height * component.down * side, frame.down * 8)
            let (across, down) = (component.across * side / least, component.down * side / least)
            guard frame.across % across == 0, frame.down % down == 0 else { throw .irregular }
            let resampling = Self.resampling(frame.across / across, frame.down / down, width, isSmooth: least > 1)
            components.append(
                Component(
                    side: side, size: PixelSize(width, height), resampling: resampling,
                    width: frame.units.width * component.across * side, height: component.down * side))
        }
        self.components = components
        lag = components.contains { $0.looksBeyond } ? 1 : 0
    }

    private static func resampling(_ across: Int, _ down: Int, _ width: Int, isSmooth: Bool) -> Resampling {
        switch (across, down) {
        case (2, 1) where isSmooth && width > 2: .wide
        case (1, 2) where isSmooth: .tall
        case (2, 2) where isSmooth && width > 2: .both
        default: .repeated(across: across, down: down)
        }
    }
}

extension JPEGGeometry.Component {
    /// Whether rows are blended with those above and below.
    var looksBeyond: Bool {
        switch resampling {
        case .tall, .both: true
        case .repeated, .wide: false
        }
    }
}
