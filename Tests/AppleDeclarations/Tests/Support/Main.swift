import Testing

/// Runs the tests like `swift test`.
@main
enum AppleTests {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
