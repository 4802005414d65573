// call to main actor-isolated instance method 'setImage(_:for:)' in a synchronous nonisolated context
import EaselUIKit
import UIKit

nonisolated func mistake(_ button: UIButton, _ image: UIImage) {
    button.setImage(image, for: .normal)
}
