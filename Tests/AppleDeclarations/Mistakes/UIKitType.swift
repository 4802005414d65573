// cannot assign value of type 'DecodedImage' to type 'UIImage'
import EaselUIKit
import UIKit

@MainActor func mistake(_ view: UIImageView, _ image: DecodedImage) {
    view.image = image
}
