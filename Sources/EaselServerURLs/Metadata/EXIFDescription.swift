#if Server
/// The values of an EXIF block as text, by the names that the standard (CIPA DC-008) gives them.
enum EXIFDescription {
    /// The tags of the first directory and of the EXIF directory.
    private static let names: [Int: String] = [
        0x010E: "ImageDescription", 0x010F: "Make", 0x0110: "Model", 0x0112: "Orientation", 0x011A: "XResolution",
        0x011B: "YResolution", 0x0128: "ResolutionUnit", 0x0131: "Software", 0x0132: "DateTime", 0x013B: "Artist",
        0x8298: "Copyright", 0x829A: "ExposureTime", 0x829D: "FNumber", 0x8822: "ExposureProgram",
        0x8827: "PhotographicSensitivity", 0x9003: "DateTimeOriginal", 0x9004: "DateTimeDigitized",
        0x9010: "OffsetTime", 0x9011: "OffsetTimeOriginal", 0x9201: "ShutterSpeedValue", 0x9202: "ApertureValue",
        0x9203: "BrightnessValue", 0x9204: "ExposureBiasValue", 0x9205: "MaxApertureValue", 0x9207: "MeteringMode",
        0x9208: "LightSource", 0x9209: "Flash", 0x920A: "FocalLength", 0xA001: "ColorSpace",
        0xA002: "PixelXDimension", 0xA003: "PixelYDimension", 0xA402: "ExposureMode", 0xA403: "WhiteBalance",
        0xA404: "DigitalZoomRatio", 0xA405: "FocalLengthIn35mmFilm", 0xA406: "SceneCaptureType", 0xA408: "Contrast",
        0xA409: "Saturation", 0xA40A: "Sharpness", 0xA430: "CameraOwnerName", 0xA431: "BodySerialNumber",
        0xA433: "LensMake", 0xA434: "LensModel",
    ]

    private static let locationNames: [Int: String] = [
        1: "GPSLatitudeRef", 2: "GPSLatitude", 3: "GPSLongitudeRef", 4: "GPSLongitude", 5: "GPSAltitudeRef",
        6: "GPSAltitude", 7: "GPSTimeStamp", 16: "GPSImgDirectionRef", 17: "GPSImgDirection", 29: "GPSDateStamp",
    ]

    private static let exifDirectory = 0x8769
    private static let locationDirectory = 0x8825

    /// Returns the values with a name. Others, and damaged ones, are left out.
    static func values(of exif: [UInt8]) -> [String: String] {
        guard let block = TIFFBlock(exif) else { return [:] }
        var values: [String: String] = [:]
        func add(_ entries: [TIFFBlock.Entry], _ names: [Int: String]) {
            for entry in entries {
                guard let name = names[entry.tag], let text = text(of: entry, in: block) else { continue }
                values[name] = text
            }
        }
        let first = block.entries
        add(first, names)
        for (tag, names) in [(exifDirectory, names), (locationDirectory, locationNames)] {
            guard let entry = first.first(where: { $0.tag == tag }), let place = block.number(0, of: entry) else {
                continue
            }
            add(block.entries(at: place.numerator), names)
        }
        return values
    }

    private static func text(of entry: TIFFBlock.Entry, in block: TIFFBlock) -> String? {
        if entry.type == 2 {
            guard let bytes = block.content(of: entry, limit: 4_096) else { return nil }
            let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        }
        guard (1...8).contains(entry.count) else { return nil }
        let numbers = (0..<entry.count).compactMap { block.number($0, of: entry) }
        guard numbers.count == entry.count else { return nil }
        return numbers.map { number, denominator in denominator == 1 ? "\(number)" : "\(number)/\(denominator)" }
            .joined(separator: " ")
    }
}
#endif
