// Declarations that the snippets of Documentation/Easel.docc/Apple.md require.
import AppKit
import EaselAppKit

let url = URL(fileURLWithPath: "/image.png")
@MainActor let imageView = NSImageView(frame: .zero)
@MainActor let button = NSButton(frame: .zero)
