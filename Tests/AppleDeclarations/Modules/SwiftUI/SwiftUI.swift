// The part of SwiftUI that Easel and its documentation use. Nothing here is drawn; view bodies are only type-checked.
@_exported public import CoreGraphics
@_exported public import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("Nothing is drawn") }
}

/// A view without a body.
@MainActor @preconcurrency public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { fatalError("Nothing is drawn") }
}

@resultBuilder public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(
        first: First
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
    public static func buildEither<First: View, Second: View>(
        second: Second
    ) -> ConditionalContent<First, Second> { ConditionalContent() }
}

public struct TupleView<Content>: Primitive {}
public struct ConditionalContent<First: View, Second: View>: Primitive {}
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("Nothing is drawn") }
}
extension Optional: Primitive where Wrapped: View {}

public struct EmptyView: Primitive {
    nonisolated public init() {}
}

public struct Text: Primitive {
    nonisolated public init<Text: StringProtocol>(_ text: Text) {}
}

public struct ProgressView: Primitive {
    public init() {}
    public init(value: Double?, total: Double = 1) {}
}

public struct Color: Primitive, Sendable {
    public static let gray = Color()
    public static let clear = Color()
}

public struct Image: Primitive, Sendable {
    public enum Orientation: UInt8, Sendable {
        case up, upMirrored, down, downMirrored, left, leftMirrored, right, rightMirrored
    }

    public enum ResizingMode: Sendable {
        case tile, stretch
    }

    nonisolated public init(decorative image: CGImage, scale: CGFloat, orientation: Orientation = .up) {}
    nonisolated public init(systemName: String) {}

    nonisolated public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: ResizingMode = .stretch)
        -> Image
    {
        self
    }
}

public struct EdgeInsets: Sendable {
    public init() {}
}

public struct List<Content: View>: Primitive {
    public init<Data: RandomAccessCollection, Row: View>(
        _ data: Data, id: KeyPath<Data.Element, some Hashable>, @ViewBuilder rowContent: @escaping (Data.Element) -> Row
    ) where Content == ForEachContent<Row> {}
}

public struct ForEachContent<Row: View>: Primitive {}

public struct VStack<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Toggle: Primitive {
    public init(_ title: String, isOn: Binding<Bool>) {}
}
