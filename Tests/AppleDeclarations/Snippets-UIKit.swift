// Declarations that the snippets of Documentation/Easel.docc/Apple.md require.
import EaselUIKit
import UIKit

let url = URL(fileURLWithPath: "/image.png")
@MainActor let view = UIView(frame: .zero)
@MainActor let imageView = UIImageView(frame: .zero)
@MainActor let button = UIButton(frame: .zero)
@MainActor let photo: UIImage = { preconditionFailure("Never run") }()
