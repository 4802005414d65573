import EaselCodecs
import EaselCore
import EaselTesting
import Foundation

extension Files {
    /// 48 x 40 pixels in ten scans, the first with all means, as `cjpeg -progressive -quality 70` writes them.
    static let progressiveJPEG =
        Data(base64Encoded: progressiveText, options: .ignoreUnknownCharacters) ?? Data()

    /// Returns 281 x 250 pixels, no multiple of a unit of 16: noise, surrounded by blocks that end at once.
    static func noisyJPEG(quality: Double, isProgressive: Bool) throws -> Data {
        let (noise, smooth) = (try Images.noise(281, 250, seed: 6), try Images.gradient(281, 250))
        let pixels = try PixelBuffer.drawn(281, 250, isOpaque: true) { x, y in
            (40..<100).contains(x) && (30..<120).contains(y) ? noise[x, y] : smooth[x, y]
        }
        return try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()),
            EncodeOptions(quality: quality, isProgressive: isProgressive))
    }

    private static let progressiveText = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAoHBwgHBgoICAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KSEiMEExNDk7
        Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQEBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7
        Ozs7Ozs7Ozv/wgARCAAoADADASIAAhEBAxEB/8QAGQAAAgMBAAAAAAAAAAAAAAAAAAQDBQYC/8QAGAEAAwEBAAAAAAAAAAAAAAAA
        AwQFBgL/2gAMAwEAAhADEAAAAUpo0CV2bOvsh5+1k4r5xM/PIlpOntNEtNYMfb3TUzDa4JTvLAKNoJgdD//EAB4QAAICAgMBAQAA
        AAAAAAAAAAECAAMRIQQSMQUT/9oACAEBAAEFAq9RmnbJqWJoO4A8DNEGTUJ5C0adcmmuKmA0bNthMr3KlnafR5HeyuA5NKxdDmcn
        8Kl2aVn/xAAeEQACAwEAAgMAAAAAAAAAAAABAgADEQQFEhMhMf/aAAgBAwEBPwHscImCUU/K+ztsCLgnVa3S+CVjK9ll7BvbP2eo
        LjZ3/bKs8YoLGf/EAB0RAAMBAQACAwAAAAAAAAAAAAECAwAEERITIkH/2gAIAQIBAT8BHYzHV7z4w7GY74YkaiSock5QT2P7u2jA
        ZftVQcKMAd//xAAeEAABAwQDAAAAAAAAAAAAAAABAiAhEBMwMTJisf/aAAgBAQAGPwJs5CtWy20OKfW9jAr/AP/EABsQAQEBAQEA
        AwAAAAAAAAAAAAEAESEQMWHw/9oACAEBAAE/IcCwPBszIRKAOq+CrPGZbidZR6CFLti627HUASQuumvfuHWaPhlGyn5eyfB//9oA
        DAMBAAIAAwAAABDqC5TVJ9/3/8QAHREBAAICAgMAAAAAAAAAAAAAAQARMWEQwSGh4f/aAAgBAwEBPxCLmZ8BsZKl8vFQorPqfYJN
        uoBPDcd3Xc//xAAcEQEBAQACAwEAAAAAAAAAAAABEQAhUTGRweH/2gAIAQIBAT8QqpjwGuJin4mnziYoQo9H7gke8ljwroQ9fd//
        xAAcEAEBAQADAQEBAAAAAAAAAAABEQAhMUFhEHH/2gAIAQEAAT8QQcMLj2YgZgGF66hADtXC4gLjHGYGZWZC6RM/RqIzGHGkTPhR
        7IfC+HR8MMsA4mzSdy24CwHhffgycc2+YjfwDcpomvO2ESjPD2H87h7hGbhm/9k=
        """
}
