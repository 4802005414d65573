import EaselCore
import Testing

@testable import EaselTesting

@Suite("Routes and served folders")
struct OriginRoutesTests {
    private func request(_ path: String) -> OriginRequest {
        OriginRequest(number: 0, connection: 0, method: "GET", target: path, headers: HTTPHeaders())
    }

    @Test("A path below a folder resolves to a file in it", arguments: ["a.png", "b/c.png", "d%20e.png", "100%25.png"])
    func names(path: String) {
        #expect(ServedPath.name(path[...]) == path.replacing("%20", with: " ").replacing("%25", with: "%"))
    }

    @Test(
        "A path that leaves the folder, is hidden or malformed is refused",
        arguments: [
            "", "/", "../a", "b/../../a", "%2e%2e/a", "..%2Fa", "b//c", "/etc/passwd", ".hidden", "a/.git/config", "a%",
            "a%2", "a%zz", "a%00", "%FF",
        ])
    func refused(path: String) {
        #expect(ServedPath.name(path[...]) == nil)
    }

    @Test("A response for a path precedes folders, and a later folder precedes an earlier one")
    func order() async {
        let configuration = OriginConfiguration()
        configuration.serve(folder: "/first", at: "/", headers: HTTPHeaders())
        configuration.serve(folder: "/second", at: "/deep", headers: ["Cache-Control": "no-store"])
        configuration.respond("/deep/a", with: [.status(201)])
        #expect(await configuration.routes.response(to: request("/deep/a")).status == 201)
        let deep = await configuration.routes.response(to: request("/deep/b.png"))
        #expect(deep.headers["Cache-Control"] == "no-store")
        #expect(deep.path == "/second/b.png")
        #expect(await configuration.routes.response(to: request("/c.png")).path == "/first/c.png")
        #expect(await configuration.routes.response(to: request("/deepest.png")).path == "/first/deepest.png")
    }

    @Test(
        "The type of a file depends on its extension",
        arguments: [
            ("a.png", "image/png"), ("a.JPEG", "image/jpeg"), ("a.jpg", "image/jpeg"),
            ("b.c/a", "application/octet-stream"),
            ("a.html", "text/html; charset=utf-8"), ("a.svg", "image/svg+xml"),
            ("a.unknown", "application/octet-stream"),
        ])
    func types(path: String, type: String) {
        #expect(OriginResponse.file(path).headers["Content-Type"] == type)
    }
}

extension OriginResponse {
    fileprivate var path: String? {
        if case .file(let path) = content { path } else { nil }
    }
}
