#if Server
import EaselCore
import HTTPTypes
import Synchronization
import Tracing

/// The span of a request, for the tracer of the application. Without one, nothing is recorded.
struct RequestSpan: Sendable {
    private let span: any Span

    /// Starts the span of a request, as a part of the trace in its fields.
    init(_ head: HTTPTypes.HTTPRequest) {
        var context = ServiceContext.topLevel
        InstrumentationSystem.instrument.extract(head.headerFields, into: &context, using: FieldExtractor())
        span = InstrumentationSystem.tracer.startSpan("easel.request", context: context, ofKind: .server)
        span.attributes["http.request.method"] = head.method.rawValue
    }

    /// Does the work of the request. Its stages are parts of the span.
    func run<Value>(_ work: () async -> Value) async -> Value {
        await ServiceContext.$current.withValue(span.context) { await work() }
    }

    /// Ends the span.
    func end(status: Int) {
        span.attributes["http.response.status_code"] = status
        if status >= 500 { span.setStatus(SpanStatus(code: .error)) }
        span.end()
    }

    /// Adds the trace of the current task to the fields of a request to a source.
    static func continueTrace(in headers: inout HTTPHeaders) {
        guard let context = ServiceContext.current else { return }
        InstrumentationSystem.instrument.inject(context, into: &headers, using: HeaderInjector())
    }
}

/// Reports the stages of loads as spans. A stage that requests share is a part of the first one's span.
final class StageSpans: ImageObserver {
    private let spans = Mutex<[UInt64: any Span]>([:])

    func didBegin(_ stage: ObservedStage) {
        guard ServiceContext.current != nil else { return }
        let span = InstrumentationSystem.tracer.startSpan("easel.\(stage.stage)")
        spans.withLock { $0[stage.id] = span }
    }

    func didEnd(_ stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        guard let span = spans.withLock({ $0.removeValue(forKey: stage.id) }) else { return }
        if case .failed(let error) = outcome { span.recordError(error) }
        span.end()
    }
}

private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) { headers[key] = value }
}
#endif
