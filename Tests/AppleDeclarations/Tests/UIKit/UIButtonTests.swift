import EaselViews
import EaselUIKit
import Testing
import UIKit

@Suite("UIButton", .timeLimit(.minutes(1)))
@MainActor
struct UIButtonTests {
    private let button = UIButton(frame: .zero)
    private let images = Images(holding: 1)

    @Test("X193: the image and background of each state load independently")
    func states() async {
        button.easel.setImage(with: images.url(1), manager: images.manager)
        button.easel.setImage(with: images.url(2), in: .image(for: .highlighted), manager: images.manager)
        button.easel.setImage(with: images.url(3), in: .background(for: .selected), manager: images.manager)
        await until { button.image(for: .highlighted) != nil && button.backgroundImage(for: .selected) != nil }
        #expect(button.image(for: .highlighted)?.number == 2)
        #expect(button.backgroundImage(for: .selected)?.number == 3)
        #expect(button.image(for: .normal) == nil)
        images.open(1)
        await until { button.image(for: .normal) != nil }
        #expect(button.image(for: .normal)?.number == 1)
    }

    @Test("X193: a state does not inherit the URL of the normal state")
    func url() {
        button.easel.setImage(with: images.url(1), manager: images.manager)
        #expect(button.easel.imageURL(in: .image) == images.url(1))
        #expect(button.easel.imageURL(in: .image(for: .selected)) == nil)
    }

    @Test("S037: cancelling one state does not cancel the others")
    func cancel() async {
        let task = button.easel.setImage(with: images.url(1), manager: images.manager)
        button.easel.setImage(with: images.url(2), in: .image(for: .disabled), manager: images.manager)
        button.easel.cancelImageLoad()
        #expect(task?.isCancelled == true)
        await until { button.image(for: .disabled) != nil }
        #expect(button.image(for: .disabled)?.number == 2)
    }

    @Test("a combination of states has a separate slot")
    func combination() async {
        let both: UIControl.State = [.selected, .highlighted]
        button.easel.setImage(with: images.url(2), in: .image(for: ControlState(both)), manager: images.manager)
        await until { button.image(for: both) != nil }
        #expect(button.image(for: both)?.number == 2)
        #expect(button.image(for: .selected) == nil)
    }
}
