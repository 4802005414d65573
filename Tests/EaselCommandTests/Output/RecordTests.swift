import EaselCore
import Testing

@testable import easel

@Suite("Records")
struct RecordTests {
    @Test("the record of a still image has no durations")
    func stillImage() {
        let header = ImageHeader(
            format: .jpeg, storedSize: PixelSize(400, 300), orientation: .right, profileName: "Display P3")
        let record = InfoRecord(input: "a b.jpg", header: header, byteCount: 1_234, source: .file)
        #expect(
            record.json.text == #"{"input":"a b.jpg","ok":true,"format":"jpeg","width":300,"height":400,"frames":1,"#
                + #""loops":1,"durationsMS":[],"orientation":6,"hasAlpha":false,"bitDepth":8,"#
                + #""profile":"Display P3","gainMap":null,"bytes":1234,"source":"file"}"#)
    }

    @Test("the record of an image with a gain map has its headroom")
    func gainMap() {
        var header = ImageHeader(format: .jpeg, storedSize: PixelSize(4, 3))
        header.gainMapHeadroom = 4.9246
        let record = InfoRecord(input: "a.jpg", header: header, byteCount: 1_234, source: .file)
        #expect(record.json.text.contains(#""profile":null,"gainMap":{"headroom":4.925},"bytes":1234"#))
        #expect(record.text.hasSuffix(", gain map with a headroom of 4.9"))
    }

    @Test("the record of an animation has a duration for each frame")
    func animatedImage() {
        let header = ImageHeader(
            format: .gif, storedSize: PixelSize(4, 3), frameCount: 2, loopCount: 0,
            frameDurations: [.milliseconds(100), .microseconds(33_333)], hasAlpha: true)
        let record = InfoRecord(input: "-", header: header, byteCount: 9, source: .network, isPartial: true)
        #expect(
            record.json.text == #"{"input":"-","ok":true,"format":"gif","width":4,"height":3,"frames":2,"#
                + #""loops":0,"durationsMS":[100,33.333],"orientation":1,"hasAlpha":true,"bitDepth":8,"#
                + #""profile":null,"gainMap":null,"bytes":9,"source":"network","partial":true}"#)
    }

    @Test("the record of a failure has a code, a number and a message")
    func failedInput() {
        let json = JSONValue.failure(input: "x", .status(404)).text
        #expect(
            json == #"{"input":"x","ok":false,"error":{"code":"status","number":2001,"message":"#
                + #""There is no image at this address (status 404). Check the URL."}}"#)
    }

    @Test("the record of a written image has all timings")
    func writtenImage() {
        var timeline = LoadTimeline()
        timeline[.firstByte] = .milliseconds(12)
        timeline[.decode] = .microseconds(1_500)
        timeline.total = .milliseconds(20)
        timeline.requests = 1
        let record = GetRecord(
            input: "u", output: "o/a.png", size: PixelSize(3, 2), byteCount: 77, source: .network,
            timeline: timeline, encode: .milliseconds(2))
        #expect(
            record.json.text == #"{"input":"u","ok":true,"output":"o/a.png","width":3,"height":2,"bytes":77,"#
                + #""source":"network","requests":1,"coalesced":false,"bytesReceived":0,"bytesSaved":0,"timings":{"queued":0,"disk":0,"connect":0,"#
                + #""firstByte":12,"transfer":0,"decode":1.5,"transform":0,"encode":2,"store":0,"total":20}}"#)
    }
}
