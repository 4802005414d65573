import EaselCore
import EaselFoundation

/// Numbers in an XMP packet (ISO 16684-1), found by their names with the usual prefixes. A parser of XML is not needed:
/// a value is an attribute or the content of an element, with up to three numbers in a list.
enum XMPNumbers {
    /// Returns the numbers of a property. Returns `nil` if it is missing, or is not one to three numbers.
    static func all(_ name: StaticString, in xmp: Span<UInt8>) -> [Double]? {
        guard let value = value(of: name, in: xmp) else { return nil }
        // The text of a list is between its tags.
        var numbers: [Double] = []
        var (text, isTag): ([UInt8], Bool) = ([], false)
        func finishText() -> Bool {
            defer { text = [] }
            if text.isEmpty { return true }
            guard numbers.count < 3, text.count <= 32, let number = Double(String(decoding: text, as: UTF8.self)) else {
                return false
            }
            numbers.append(number)
            return true
        }
        for index in value {
            switch xmp[index] {
            case UInt8(ascii: "<"):
                guard finishText() else { return nil }
                isTag = true
            case UInt8(ascii: ">"): isTag = false
            case let byte where !isTag && byte > UInt8(ascii: " "): text.append(byte)
            default: break
            }
        }
        return finishText() && !numbers.isEmpty ? numbers : nil
    }

    /// Returns a single number.
    static func number(_ name: StaticString, in xmp: Span<UInt8>) -> Double? { all(name, in: xmp)?.first }

    /// Returns the numbers of R, G and B, which are equal if there is one. Returns `initial` if the property is missing.
    static func channels(_ name: StaticString, in xmp: Span<UInt8>, default initial: Double?) -> SIMD3<Double>? {
        guard value(of: name, in: xmp) != nil else { return initial.map(SIMD3.init(repeating:)) }
        guard let numbers = all(name, in: xmp) else { return nil }
        return numbers.count == 3 ? SIMD3(numbers) : numbers.count == 1 ? SIMD3(repeating: numbers[0]) : nil
    }

    /// Returns the range of the value of a property: of an attribute, or between the tags of an element.
    static func value(of name: StaticString, in xmp: Span<UInt8>) -> Range<Int>? {
        var start = 0
        while let found = xmp.firstOffset(of: name, in: start..<xmp.count) {
            start = found + name.utf8CodeUnitCount
            var next = start
            while let byte = xmp.byte(at: next), byte <= UInt8(ascii: " ") { next += 1 }
            if xmp.byte(at: next) == UInt8(ascii: "=") {
                next += 1
                while let byte = xmp.byte(at: next), byte <= UInt8(ascii: " ") { next += 1 }
                let isSingle = xmp.byte(at: next) == UInt8(ascii: "'")
                guard isSingle || xmp.byte(at: next) == UInt8(ascii: "\"") else { return nil }
                return xmp.firstOffset(of: isSingle ? "'" : "\"", in: (next + 1)..<xmp.count).map { (next + 1)..<$0 }
            }
            // Not another name that starts like this one.
            guard next > start || xmp.byte(at: next) == UInt8(ascii: ">") else { continue }
            guard let end = xmp.firstOffset(of: ">", in: start..<xmp.count) else { return nil }
            var close = end
            while let tag = xmp.firstOffset(of: "</", in: close..<xmp.count) {
                if xmp.hasText(name, at: tag + 2) { return (end + 1)..<tag }
                close = tag + 2
            }
            return nil
        }
        return nil
    }
}

extension GainMap.Parameters {
    /// Reads the XMP of a gain map of the Ultra HDR format (version 1). Returns `nil` for other XMP, and if it is not
    /// usable.
    init?(ultraHDR xmp: Span<UInt8>) {
        guard XMPNumbers.value(of: "hdrgm:Version", in: xmp) != nil,
            let minimum = XMPNumbers.channels("hdrgm:GainMapMin", in: xmp, default: 0),
            let maximum = XMPNumbers.channels("hdrgm:GainMapMax", in: xmp, default: nil),
            let gamma = XMPNumbers.channels("hdrgm:Gamma", in: xmp, default: 1),
            let baseOffset = XMPNumbers.channels("hdrgm:OffsetSDR", in: xmp, default: 1.0 / 64),
            let alternateOffset = XMPNumbers.channels("hdrgm:OffsetHDR", in: xmp, default: 1.0 / 64),
            let baseHeadroom = XMPNumbers.channels("hdrgm:HDRCapacityMin", in: xmp, default: 0),
            let alternateHeadroom = XMPNumbers.channels("hdrgm:HDRCapacityMax", in: xmp, default: nil)
        else { return nil }
        // The format defines only SDR images with a map to HDR.
        if let isHDR = XMPNumbers.value(of: "hdrgm:BaseRenditionIsHDR", in: xmp),
            !xmp.hasText("False", at: isHDR.lowerBound)
        {
            return nil
        }
        self.init(
            minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: baseOffset, alternateOffset: alternateOffset,
            baseHeadroom: baseHeadroom.x, alternateHeadroom: alternateHeadroom.x)
        guard isUsable else { return nil }
    }
}

extension Span where Element == UInt8 {
    /// Returns the first offset of `text` in `range`, which is inside the bytes.
    func firstOffset(of text: StaticString, in range: Range<Int>) -> Int? {
        guard let first = text.withUTF8Buffer(\.first), text.utf8CodeUnitCount <= range.count else { return nil }
        return extracting(range).withUnsafeBytes { bytes in
            let end = bytes.count - text.utf8CodeUnitCount + 1
            var offset = 0
            // A search byte by byte takes longer than reading the rest of a small file's header.
            while offset < end, let start = bytes.baseAddress,
                let found = memchr(start + offset, Int32(first), end - offset)
            {
                offset = UnsafeRawPointer(found) - start
                if hasText(text, at: range.lowerBound + offset) { return range.lowerBound + offset }
                offset += 1
            }
            return nil
        }
    }
}
