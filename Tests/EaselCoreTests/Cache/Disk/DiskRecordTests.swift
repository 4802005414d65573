import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk record: the record of an entry")
struct DiskRecordTests {
    private static let payload = Data((0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) })

    private static func record(details: [UInt8] = [1, 2, 3]) -> DiskRecord {
        var record = DiskRecord(of: payload, created: Date(timeIntervalSince1970: 1_700_000_000.25))
        record.details = details
        return record
    }

    @Test("a record is read as it was written", arguments: [0, 1, 4_000, DiskRecord.longestDetails])
    func roundTrip(length: Int) {
        var record = Self.record(details: [UInt8](repeating: 9, count: length))
        for isEncrypted in [false, true] {
            record.isEncrypted = isEncrypted
            #expect(DiskRecord(record.bytes) == record)
            #expect(DiskRecord(record.pointer.bytes) == record.pointer)
        }
    }

    @Test("a record has the length, the checksum and the date of the entry, to the millisecond")
    func facts() {
        let record = Self.record()
        #expect(record.length == 100)
        #expect(record.checksum == Self.payload.withUnsafeBytes(CRC32C.checksumByTable))
        #expect(record.createdSeconds == 1_700_000_000.25)
    }

    @Test("a record with any bit flipped is rejected (B49)")
    func flipped() {
        let sound = Self.record().bytes
        for bit in 0..<(sound.count * 8) {
            var bytes = sound
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(DiskRecord(bytes) == nil, "bit \(bit)")
        }
    }

    @Test("a record that is cut off or a byte longer is rejected (B48)")
    func truncated() {
        let sound = Self.record().bytes
        for length in 0..<sound.count { #expect(DiskRecord(Array(sound.prefix(length))) == nil, "\(length) bytes") }
        #expect(DiskRecord(sound + [0]) == nil)
    }

    @Test("a record of another version is rejected, even with a valid checksum (B39)", arguments: [0, 1, 3, 255])
    func otherVersion(version: UInt8) {
        var body = Array(Self.record().bytes.dropLast(4))
        body[0] = version
        #expect(DiskRecord(seal(body)) == nil)
        body[0] = DiskRecord.version
        #expect(DiskRecord(seal(body)) == Self.record())
    }

    @Test("a record with a wrong length of details is rejected, even with a valid checksum")
    func hostileLengths() {
        for count: UInt32 in [0, 2, 4, UInt32(DiskRecord.longestDetails) + 1, .max] {
            #expect(DiskRecord(seal(Self.body(length: 100, details: count))) == nil, "\(count) details")
        }
        #expect(DiskRecord(seal(Self.body(length: 100, details: 3))) != nil)
        #expect(DiskRecord(seal(Self.body(length: .max, details: 3))) == nil)
    }

    @Test("a record matches only its payload")
    func payloads() {
        let record = Self.record()
        #expect(record.matches(Self.payload))
        #expect(!record.matches(Self.payload + [0]))
        #expect(!record.matches(Self.payload.dropLast()))
        #expect(!record.matches(Data(Self.payload.reversed())))
        #expect(!record.matches(Data()))
    }

    @Test("a record in the trailer is found", arguments: [0, 3, 300_000])
    func trailer(length: Int) {
        let record = Self.record(details: [UInt8](repeating: 9, count: length))
        let file = Self.payload + record.trailer
        #expect(DiskRecord.readTrailer(in: file) == record)
        #expect(DiskEntries.check(file, .record(record.pointer.bytes))?.payload == Self.payload)
        #expect(DiskEntries.check(file, .record(record.bytes)) == nil)
    }

    @Test("a trailer that is cut off or has any bit flipped is rejected")
    func damagedTrailer() {
        let trailer = Self.record().trailer
        for bit in 0..<(trailer.count * 8) {
            var damaged = trailer
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(DiskRecord.readTrailer(in: Self.payload + damaged) == nil, "bit \(bit)")
        }
        for length in 0..<trailer.count {
            #expect(DiskRecord.readTrailer(in: Self.payload + trailer.prefix(length)) == nil, "\(length) bytes")
        }
    }

    @Test("a trailer after other bytes than its payload is rejected")
    func trailerElsewhere() {
        let trailer = Self.record().trailer
        #expect(DiskRecord.readTrailer(in: Self.payload.dropLast() + trailer) == nil)
        #expect(DiskRecord.readTrailer(in: Self.payload + [0] + trailer) == nil)
        #expect(DiskRecord.readTrailer(in: trailer) == nil)
        #expect(DiskRecord.readTrailer(in: Data(trailer.suffix(12))) == nil)
    }

    /// The bytes of a record without its checksum.
    private static func body(length: UInt64, details: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(DiskRecord.version)
        writer.write(UInt8(0))
        writer.write(length)
        writer.write(UInt32(1))
        writer.write(Int64(2))
        writer.write(details)
        writer.write([7, 7, 7] as [UInt8])
        return writer.bytes
    }

    private func seal(_ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(body)
        writer.write(body.withUnsafeBytes(CRC32C.checksum))
        return writer.bytes
    }
}
