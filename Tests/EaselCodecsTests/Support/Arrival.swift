import EaselCore
import Foundation

extension IncrementalDecoding {
    /// The previews of a file that comes in pieces that end at these places, one asked for after each piece.
    func previews(
        of file: Data, endingAt ends: some Sequence<Int>, _ options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) -> [ImagePreview] {
        let decoder = makeIncrementalDecoder(options)
        var previews: [ImagePreview] = []
        var start = 0
        for end in ends {
            try decoder.append(file.subdata(in: start..<end))
            start = end
            if let preview = try decoder.preview() { previews.append(preview) }
        }
        return previews
    }

    /// The last preview of a file that comes in pieces of `count` bytes, one asked for when all have come.
    func finalPreview(
        of file: Data, pieces count: Int, _ options: DecodeOptions = DecodeOptions()
    ) throws(ImageError) -> ImagePreview? {
        let decoder = makeIncrementalDecoder(options)
        for start in stride(from: 0, to: file.count, by: count) {
            try decoder.append(file.subdata(in: start..<min(start + count, file.count)))
        }
        return try decoder.preview()
    }
}
