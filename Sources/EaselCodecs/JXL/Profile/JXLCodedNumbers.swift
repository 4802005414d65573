#if JXL
/// Numbers of a JPEG XL in prefix codes, each in one of several by its context, with copies of numbers before
/// (ISO/IEC 18181-1, annex C).
///
/// The format has asymmetric numeral systems too, which no version of libjxl uses for profiles.
struct JXLCodedNumbers {
    /// Which code each context has.
    private let contextMap: [UInt8]
    private var codes: [(symbols: JXLPrefixCode, numbers: JXLHybridInteger)] = []
    private var copies: Copies?

    /// More would let a few bytes ask for many steps. Numbers up to 255 and copies need less.
    private static let largestAlphabet = 1024

    fileprivate struct Copies {
        var firstSymbol: Int
        var shortest: Int
        var lengths: JXLHybridInteger
        /// All numbers so far.
        var before: [UInt32] = []
        var distance = 0
        var left = 0
    }

    /// Reads how the numbers are coded. `nil` for what is damaged or rare.
    init?(_ reader: inout JXLBitReader, contextCount: Int, allowsCopies: Bool = true) {
        guard let hasCopies = reader.flag(), allowsCopies || !hasCopies else { return nil }
        if hasCopies {
            guard let first = reader.number((0, 224), (0, 512), (0, 4096), (15, 8)),
                let shortest = reader.number((0, 3), (0, 4), (2, 5), (8, 9)),
                let lengths = JXLHybridInteger(&reader, logAlphabetSize: 8)
            else { return nil }
            copies = Copies(firstSymbol: first, shortest: shortest, lengths: lengths)
        }
        // Distances have a context of their own, the last.
        guard let contextMap = Self.contextMap(&reader, count: contextCount + (hasCopies ? 1 : 0)),
            reader.flag() == true
        else { return nil }
        self.contextMap = contextMap
        let count = Int(contextMap.max() ?? 0) + 1
        var numbers: [JXLHybridInteger] = []
        for _ in 0..<count {
            guard let code = JXLHybridInteger(&reader, logAlphabetSize: 15) else { return nil }
            numbers.append(code)
        }
        var sizes: [Int] = []
        for _ in 0..<count {
            guard let last = reader.variableNumber(), last < Self.largestAlphabet else { return nil }
            sizes.append(last + 1)
        }
        for (size, numbers) in zip(sizes, numbers) {
            guard let symbols = JXLPrefixCode(&reader, alphabetSize: size) else { return nil }
            codes.append((symbols, numbers))
        }
    }

    /// The next number.
    mutating func next(_ context: Int, _ reader: inout JXLBitReader) -> Int? {
        if copies?.left ?? 0 > 0 { return copies?.next() }
        let code = codes[Int(contextMap[context])]
        guard let symbol = code.symbols.symbol(&reader) else { return nil }
        if let firstCopy = copies?.firstSymbol, symbol >= firstCopy {
            let distances = codes[Int(contextMap[contextMap.count - 1])]
            guard let more = copies?.lengths.number(symbol - firstCopy, &reader),
                let distance = distances.symbols.symbol(&reader).flatMap({ distances.numbers.number($0, &reader) })
            else { return nil }
            copies?.begin(more: more, distance: distance + 1)
            return copies?.next()
        }
        guard let number = code.numbers.number(symbol, &reader) else { return nil }
        copies?.before.append(UInt32(truncatingIfNeeded: number))
        return number
    }
}

extension JXLCodedNumbers.Copies {
    fileprivate mutating func begin(more: Int, distance: Int) {
        left = more + shortest
        self.distance = min(distance, before.count, 1 << 20)
    }

    /// `nil` where there is nothing to copy.
    fileprivate mutating func next() -> Int? {
        guard distance > 0 else { return nil }
        let number = before[before.count - distance]
        before.append(number)
        left -= 1
        return Int(number)
    }
}

extension JXLCodedNumbers {
    /// Which of the codes each context has: by bits, or coded as other numbers are.
    private static func contextMap(_ reader: inout JXLBitReader, count: Int) -> [UInt8]? {
        guard count > 1 else { return [0] }
        guard let isSimple = reader.flag() else { return nil }
        var map: [UInt8] = []
        if isSimple {
            guard let bits = reader.bits(2) else { return nil }
            for _ in 0..<count {
                guard let cluster = reader.bits(bits) else { return nil }
                map.append(UInt8(cluster))
            }
        } else {
            // One of two contexts has none with copies, which would have a map again.
            guard let isMovedToFront = reader.flag(),
                var numbers = JXLCodedNumbers(&reader, contextCount: 1, allowsCopies: count > 2)
            else { return nil }
            for _ in 0..<count {
                guard let cluster = numbers.next(0, &reader), cluster < 256 else { return nil }
                map.append(UInt8(cluster))
            }
            if isMovedToFront { moveBack(&map) }
        }
        // No code is without a context.
        return Set(map).count == Int(map.max() ?? 0) + 1 ? map : nil
    }

    /// Numbers that are places in a list, to whose front what was named last has moved.
    private static func moveBack(_ map: inout [UInt8]) {
        var list = Array(UInt8.min...UInt8.max)
        for index in map.indices {
            let value = list.remove(at: Int(map[index]))
            list.insert(value, at: 0)
            map[index] = value
        }
    }
}

extension JXLBitReader {
    /// A number of up to 16 bits that is told with how long it is.
    fileprivate mutating func variableNumber() -> Int? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return 0 }
        guard let length = bits(4), let rest = bits(length) else { return nil }
        return 1 << length + rest
    }
}
#endif
