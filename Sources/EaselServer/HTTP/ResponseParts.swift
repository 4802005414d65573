#if Server
import HTTPTypes
import Hummingbird
import NIOCore

/// A response whose body is in memory.
struct ResponseParts {
    var status: HTTPTypes.HTTPResponse.Status
    var fields: HTTPFields
    /// `nil` for a status without a body.
    var body: ByteBuffer?

    /// The response for a router.
    var response: Response {
        guard let body else { return Response(status: status, headers: fields) }
        return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: body))
    }
}
#endif
