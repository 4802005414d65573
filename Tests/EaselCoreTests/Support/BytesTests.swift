import Testing

@testable import EaselCore

@Suite("Bytes: reading and writing numbers")
struct BytesTests {
    @Test("numbers are read as they were written, little-endian and without padding")
    func roundTrip() {
        var writer = ByteWriter()
        writer.write(UInt8(1))
        writer.write(UInt32(0x0403_0201))
        writer.write(Int64(-2))
        writer.write([9, 8] as [UInt8])
        #expect(writer.bytes == [1, 1, 2, 3, 4, 0xFE, 255, 255, 255, 255, 255, 255, 255, 9, 8])
        var reader = ByteReader(writer.bytes)
        #expect(reader.read(UInt8.self) == 1)
        #expect(reader.read(UInt32.self) == 0x0403_0201)
        #expect(reader.read(Int64.self) == -2)
        #expect(!reader.isAtEnd)
        #expect(reader.read(2) == [9, 8])
        #expect(reader.isAtEnd)
    }

    @Test("a read beyond the end returns nil and consumes nothing")
    func end() {
        var reader = ByteReader([1, 2, 3])
        #expect(reader.read(UInt32.self) == nil)
        #expect(reader.read(4) == nil)
        #expect(reader.read(-1) == nil)
        #expect(reader.read(Int.max) == nil)
        #expect(reader.read(UInt16.self) == 0x0201)
        #expect(reader.read(UInt16.self) == nil)
        #expect(reader.readToEnd() == [3])
        #expect(reader.readToEnd().isEmpty)
        #expect(reader.read(0) == [])
        #expect(reader.read(UInt8.self) == nil)
    }

    @Test("a reader without bytes is at its end")
    func empty() {
        var reader = ByteReader([])
        #expect(reader.isAtEnd)
        #expect(reader.read(UInt8.self) == nil)
        #expect(reader.readToEnd().isEmpty)
    }
}
