public import EaselCore

extension CoderRegistry {
    /// A registry of Easel's own coders: for JPEG, PNG and animated PNG, GIF and WebP, and for the formats whose package
    /// traits are on. Coders registered later are asked before them (X149).
    public static func standard() -> CoderRegistry {
        var decoders: [any ImageDecoding] = [JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()]
        var encoders: [any ImageEncoding] = [JPEGCoder(), PNGCoder(), WebPCoder()]
        #if HEIF
        decoders.append(HEICCoder())
        #endif
        #if AVIF
        decoders.append(AVIFCoder())
        encoders.append(AVIFCoder())
        #endif
        #if JXL
        decoders.append(JXLCoder())
        encoders.append(JXLCoder())
        #endif
        return CoderRegistry(decoders: decoders, encoders: encoders)
    }
}
