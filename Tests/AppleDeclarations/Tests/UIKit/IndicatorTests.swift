import EaselViews
import EaselUIKit
import Testing
import UIKit

@Suite("UIKit indicators", .timeLimit(.minutes(1)))
@MainActor
struct IndicatorTests {
    private let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 100, height: 60))
    private let images = Images(holding: 7)

    @Test("S045, S046, X195: a spinner in the middle of the view animates during a load")
    func spinner() async {
        let indicator = ActivityIndicator(.large, color: .white)
        view.easel.indicator = indicator
        #expect(indicator.view.superview === view)
        #expect(indicator.view.frame.origin == CGPoint(x: 40, y: 20))
        #expect(!indicator.spinner.isAnimating)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        #expect(indicator.spinner.isAnimating)
        images.open(7)
        await until { view.image != nil }
        #expect(!indicator.spinner.isAnimating)
    }

    @Test("X195: setting another indicator replaces the subview")
    func replaced() {
        let first = ActivityIndicator()
        let second = ProgressIndicator()
        view.easel.indicator = first
        view.easel.indicator = second
        #expect(first.view.superview == nil)
        #expect(view.subviews == [second.view])
        view.easel.indicator = nil
        #expect(view.subviews.isEmpty)
    }

    @Test("X192: a bar shows the progress, and is visible only during a load")
    func bar() async {
        let indicator = ProgressIndicator(.bar)
        view.easel.indicator = indicator
        #expect(indicator.bar.isHidden)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        #expect(!indicator.bar.isHidden)
        await until { indicator.bar.progress == 0.5 }
        #expect(view.easel.imageProgress().received == 5)
        view.easel.cancelImageLoad()
        await until { indicator.bar.isHidden }
    }

    @Test("S026: the spinner does not animate without a URL")
    func noURL() {
        let indicator = ActivityIndicator()
        view.easel.indicator = indicator
        view.easel.setImage(with: nil as URL?, manager: images.manager)
        #expect(!indicator.spinner.isAnimating)
    }
}
