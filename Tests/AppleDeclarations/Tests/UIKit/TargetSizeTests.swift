import EaselViews
import EaselUIKit
import MapKit
import Testing
import UIKit

@Suite("UIKit target size", .timeLimit(.minutes(1)))
@MainActor
struct TargetSizeTests {
    private let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 2, height: 1.5))
    private let images = Images()

    @Test("R014: images are decoded to the pixels of the view on its screen")
    func decoded() async {
        view.easel.setImage(with: images.url(7), manager: images.manager)
        await until { view.image != nil }
        // 2 by 1.5 points at 2 pixels per point.
        #expect(view.image?.cgImage?.width == 4)
        #expect(view.image?.cgImage?.height == 3)
    }

    @Test("R014: an enlarged view loads a larger image, and shows the old one until then")
    func grown() async {
        view.easel.setImage(with: images.url(7), manager: images.manager)
        await until { view.image != nil }
        view.bounds.size = CGSize(width: 4, height: 3)
        view.easel.targetSizeDidChange()
        await until { view.image?.cgImage?.width == 8 }
        #expect(!view.history.dropFirst().contains(-1))
    }

    @Test(
        "the content mode determines the target size",
        arguments: [
            (UIView.ContentMode.scaleAspectFit, TargetSize.pixels(PixelSize(4, 3), mode: .aspectFit)),
            (.scaleAspectFill, .pixels(PixelSize(4, 3), mode: .aspectFill)), (.center, .original),
        ])
    func mode(mode: UIView.ContentMode, size: TargetSize) {
        view.contentMode = mode
        #expect(view.easel.targetSize(in: .image) == size)
    }

    @Test("a view without a size and an annotation view get the image at its original size")
    func unknown() async {
        #expect(UIImageView(frame: .zero).easel.targetSize(in: .image) == .original)
        let annotation = MKAnnotationView(frame: CGRect(x: 0, y: 0, width: 2, height: 2))
        annotation.easel.setImage(with: images.url(7), manager: images.manager)
        await until { annotation.image != nil }
        #expect(annotation.image?.cgImage?.width == 8)
    }
}
