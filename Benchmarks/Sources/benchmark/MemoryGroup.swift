import Easel
import Foundation

/// Easel's memory cache beside Foundation's.
enum MemoryGroup {
    static let name = "memory"

    private static let entries = 1_000
    private static let operations = 200_000

    /// A value as small as can be, so that the cache is measured and not what it holds.
    private final class Value: Sendable {}

    /// NSCache takes objects alone: a picture has to be put into one.
    private final class Box: Sendable {
        let image: DecodedImage
        init(_ image: DecodedImage) { self.image = image }
    }

    static func works() throws -> [Work] {
        let texts = (0..<entries).map { "https://pictures.example/albums/\($0 / 100)/\($0).jpg?width=300" }
        let order = shuffled(operations)
        return [try picture(texts, order), hit(texts, order), hitByText(texts, order), store(texts, order)]
    }

    /// What a load that hits does.
    private static func picture(_ texts: [String], _ order: [Int]) throws -> Work {
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        let ours = ImageCache(folder: nil as String?), keys = texts.map { CacheKey($0) }
        let foundation = NSCache<NSString, Box>(), names = texts.map { $0 as NSString }
        for index in texts.indices {
            ours.store(image, for: keys[index])
            foundation.setObject(Box(image), forKey: names[index], cost: image.memoryCost)
        }
        return Work(
            group: name, name: "hit, picture", operations: operations,
            ours: Contestant(name: "Easel") { operations in
                (0..<operations).count { ours.image(for: keys[order[$0]])?.size.width == 1 }
            },
            peers: [
                Contestant(name: "NSCache") { operations in
                    (0..<operations).count { foundation.object(forKey: names[order[$0]])?.image.size.width == 1 }
                }
            ])
    }

    /// Any value, with keys that are there already.
    private static func hit(_ texts: [String], _ order: [Int]) -> Work {
        let ours = filled(texts), keys = texts.map { CacheKey($0) }
        let foundation = filledFoundation(texts), names = texts.map { $0 as NSString }
        return Work(
            group: name, name: "hit, any value", operations: operations,
            ours: Contestant(name: "Easel") { operations in
                (0..<operations).count { ours.value(for: keys[order[$0]]) != nil }
            },
            peers: [
                Contestant(name: "NSCache") { operations in
                    (0..<operations).count { foundation.object(forKey: names[order[$0]]) != nil }
                }
            ])
    }

    /// Keys that are made from a text each time.
    private static func hitByText(_ texts: [String], _ order: [Int]) -> Work {
        let ours = filled(texts), foundation = filledFoundation(texts)
        return Work(
            group: name, name: "hit, key made from text", operations: operations,
            ours: Contestant(name: "Easel") { operations in
                (0..<operations).count { ours[texts[order[$0]]] != nil }
            },
            peers: [
                Contestant(name: "NSCache") { operations in
                    (0..<operations).count { foundation.object(forKey: texts[order[$0]] as NSString) != nil }
                }
            ])
    }

    /// Storing into a cache that holds half of what comes, so that it evicts.
    private static func store(_ texts: [String], _ order: [Int]) -> Work {
        let ours = MemoryCache<Value>(maximumCost: entries / 2), keys = texts.map { CacheKey($0) }
        let foundation = NSCache<NSString, Value>(), names = texts.map { $0 as NSString }
        foundation.totalCostLimit = entries / 2
        let value = Value()
        return Work(
            group: name, name: "store, evicting", operations: operations,
            ours: Contestant(name: "Easel") { operations in
                for index in 0..<operations { ours.store(value, cost: 1, for: keys[order[index]]) }
                return ours.totalCost <= entries / 2 ? operations : 0
            },
            peers: [
                Contestant(name: "NSCache") { operations in
                    for index in 0..<operations { foundation.setObject(value, forKey: names[order[index]], cost: 1) }
                    // NSCache does not tell how much it holds.
                    return operations
                }
            ])
    }

    private static func filled(_ texts: [String]) -> MemoryCache<Value> {
        let cache = MemoryCache<Value>(maximumCost: .megabytes(1))
        for text in texts { cache.store(Value(), cost: 1, for: CacheKey(text)) }
        return cache
    }

    private static func filledFoundation(_ texts: [String]) -> NSCache<NSString, Value> {
        let cache = NSCache<NSString, Value>()
        for text in texts { cache.setObject(Value(), forKey: text as NSString, cost: 1) }
        return cache
    }

    /// The same order for everybody and every run.
    private static func shuffled(_ count: Int) -> [Int] {
        var state: UInt64 = 88_172_645_463_325_252
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(entries))
        }
    }
}
