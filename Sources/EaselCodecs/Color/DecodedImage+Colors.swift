import CLittleCMS
public import EaselCore

extension DecodedImage {
    /// The picture in sRGB, where it is in Display P3: for encoders that cannot say that colours are others, and for toolkits that
    /// know no others. What sRGB does not have becomes the nearest that it has, channel by channel.
    ///
    /// - Throws: `ImageError.tooLarge` where the machine has no room for another picture.
    public func inStandardColors() throws(ImageError) -> DecodedImage {
        guard metadata.colorSpace == .displayP3 else { return self }
        var image = self
        let conversion = ColorConversion.from(.codePoints(.displayP3), to: .sRGB)
        image.pixels = try pixels.converted(by: conversion) { false }
        image.metadata.colorSpace = .sRGB
        return image
    }
}

extension ICCProfile {
    /// Display P3, for files that say it by a profile.
    static let displayP3: ICCProfile? = {
        guard let context = LittleCMSContext(), let profile = LittleCMSProfile(.displayP3, in: context),
            let name = cmsMLUalloc(context.handle, 1)
        else { return nil }
        defer { cmsMLUfree(name) }
        // Handles do not keep it.
        defer { withExtendedLifetime(profile) {} }
        cmsMLUsetASCII(name, "en", "US", "Display P3")
        cmsWriteTag(profile.handle, cmsSigProfileDescriptionTag, UnsafeRawPointer(name))
        var count: UInt32 = 0
        guard cmsSaveProfileToMem(profile.handle, nil, &count) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        guard cmsSaveProfileToMem(profile.handle, &bytes, &count) != 0 else { return nil }
        return ICCProfile(bytes, for: .rgb)
    }()
}
