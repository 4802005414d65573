import Easel
import Foundation

guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
    print("usage: lean URL")
    exit(2)
}
let image = try await ImageManager.shared.image(for: url)
print("\(image.size.width)x\(image.size.height)")
