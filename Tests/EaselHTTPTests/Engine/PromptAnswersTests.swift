import Testing

@testable import EaselHTTP

@Suite("Prompt answers")
struct PromptAnswersTests {
    private var answers = PromptAnswers()

    private mutating func note(_ count: Int, after microseconds: Int = 100, wasAlone: Bool = true) {
        for _ in 0..<count { answers.note(after: .microseconds(microseconds), wasAlone: wasAlone) }
    }

    @Test("The next answer is expected at once when eight have come so in a row")
    mutating func expected() {
        note(7)
        #expect(!answers.areExpected)
        note(1)
        #expect(answers.areExpected)
        note(100)
        #expect(answers.areExpected)
    }

    @Test("One that takes longer ends that, until eight have come at once again")
    mutating func late() {
        note(8)
        note(1, after: 251)
        #expect(!answers.areExpected)
        note(7)
        #expect(!answers.areExpected)
        note(1)
        #expect(answers.areExpected)
    }

    @Test("Those among others do not count, however soon they come")
    mutating func amongOthers() {
        note(7)
        note(1, wasAlone: false)
        note(7)
        #expect(!answers.areExpected)
    }

    @Test("One that was waited for and did not come ends it too")
    mutating func missed() {
        note(8)
        answers.missed()
        #expect(!answers.areExpected)
    }
}
