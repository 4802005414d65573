public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders, for JPEG, PNG and animated PNG, GIF and WebP. Coders registered later are asked
    /// before them (X149).
    public static func standard() -> CoderRegistry {
        CoderRegistry(
            decoders: [JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()],
            encoders: [JPEGCoder(), PNGCoder(), WebPCoder()])
    }
}
