import Foundation
import Testing

@testable import easel

@Suite("JSON values")
struct JSONValueTests {
    @Test("members keep their order")
    func memberOrder() {
        let value: JSONValue = ["z": 1, "a": true, "m": .null, "b": .array([.string("x"), .decimal(1.5)])]
        #expect(value.text == #"{"z":1,"a":true,"m":null,"b":["x",1.5]}"#)
    }

    @Test(
        "every string survives encoding and decoding",
        arguments: ["", "\"\\/", "a\nb\tc\r", "\u{0}\u{1F}\u{7F}\u{9B}\u{2028}", "写真 👍"])
    func strings(text: String) throws {
        let json = JSONValue.array([.string(text)]).text
        #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [text])
    }

    @Test("a value is one line without control characters")
    func oneLine() {
        let json = JSONValue.string("a\n\u{1B}[2J\u{9B}2J\u{2028}").text
        #expect(json.unicodeScalars.allSatisfy { !$0.properties.generalCategory.isControl })
    }

    @Test(
        "decimals have at most three digits after the point",
        arguments: [
            (0.0, "0"), (40.0, "40"), (0.25, "0.25"), (1.23456, "1.235"), (-2.5, "-2.5"), (33.333333, "33.333"),
            (.infinity, "null"), (.nan, "null"),
        ])
    func decimals(value: Double, text: String) {
        #expect(JSONValue.decimal(value).text == text)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { self == .control || self == .lineSeparator || self == .paragraphSeparator }
}
