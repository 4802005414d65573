public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders: those for JPEG, PNG and animated PNG, GIF, WebP, BMP, ICO, QOI and PNM, and those
    /// that the package's traits bring. Coders registered later are asked before them (X149).
    public static func standard() -> CoderRegistry {
        let registry = CoderRegistry(
            decoders: [
                QOICoder(), PNMCoder(), ICOCoder(), BMPCoder(), JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder(),
            ],
            encoders: [JPEGCoder(), PNGCoder(), APNGCoder(), GIFCoder(), WebPCoder(), QOICoder()])
        #if TIFF
        registry.register(TIFFCoder())
        #endif
        #if SVG
        registry.register(SVGCoder())
        #endif
        return registry
    }
}
