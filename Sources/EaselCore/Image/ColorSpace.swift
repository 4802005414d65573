/// The colours that the numbers of a decoded picture stand for.
public enum ColorSpace: String, Sendable, Hashable, CaseIterable {
    /// sRGB (IEC 61966-2-1): what every toolkit and screen takes. Wider colours are cut to it, and HDR is tone mapped.
    case sRGB
    /// Display P3: the primaries of DCI-P3, the white and the curve of sRGB. For screens that show more than sRGB.
    case displayP3
    /// The numbers as the file has them, whatever it says that they mean. For comparing files, not for showing them.
    case unconverted
}
