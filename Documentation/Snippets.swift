// What the snippets of the documentation take for granted. Never built: Scripts/check-snippets.sh type-checks with it.
import Easel
import Foundation

let url = URL(fileURLWithPath: "/image.png")
let folder = URL(fileURLWithPath: "/cache")
let data = Data()

func show(_ image: DecodedImage) {}
