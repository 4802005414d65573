import Testing

@testable import EaselHTTP

@Suite("Socket table")
struct SocketTableTests {
    private var table = SocketTable()

    private mutating func slept() -> [Int32] { table.sleep().map(\.descriptor) }

    @Test("What is wanted is slept on, and missing until then")
    mutating func wanting() {
        table.want(7, .reading)
        #expect(table.isMissing)
        #expect(table.sleep() == [SocketTable.Watch(descriptor: 7, interest: .reading)])
        #expect(!table.isMissing)
        table.want(7, [.reading, .writing])
        #expect(table.isMissing)
        let watches = table.sleep()
        #expect(watches.map(\.interest) == [[.reading, .writing]])
    }

    @Test("A kept connection is slept on between two exchanges, so that the next one misses nothing")
    mutating func keptConnection() {
        table.want(7, .reading)
        _ = table.sleep()
        table.release(7, isConnection: true)
        #expect(slept() == [7])
        table.want(7, .reading)
        #expect(!table.isMissing)
    }

    @Test("Of a connection that nobody wants now, the first news is the last, until it is wanted again")
    mutating func endedConnection() {
        table.want(7, .reading)
        _ = table.sleep()
        table.release(7, isConnection: true)
        let isWanted = table.heard(7)
        #expect(!isWanted)
        #expect(slept() == [])
        table.want(7, .reading)
        #expect(table.isMissing)
        #expect(slept() == [7])
        let isForLibcurl = table.heard(7)
        #expect(isForLibcurl)
    }

    @Test("What is no connection is left at once, and so is one that was never slept on")
    mutating func released() {
        table.want(7, .reading)
        table.want(8, .reading)
        table.release(8, isConnection: true)
        #expect(slept() == [7])
        table.release(7, isConnection: false)
        #expect(slept() == [])
    }

    @Test("A closed socket's number may be another's: it is wanted anew")
    mutating func closed() {
        table.want(7, .reading)
        _ = table.sleep()
        table.forget(7)
        table.want(7, .reading)
        #expect(table.isMissing)
    }

    @Test("What was wanted and is not any more is not missing, though it was never slept on")
    mutating func releasedBeforeSleep() {
        table.want(7, .reading)
        table.release(7, isConnection: true)
        #expect(!table.isMissing)
    }
}
