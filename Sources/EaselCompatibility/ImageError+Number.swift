public import EaselCore

extension ImageError {
    /// SDWebImage's number for the error, or one from 3000 on if SDWebImage has none. 0 for codes of an application.
    public var number: Int {
        switch code {
        case .invalidURL: 1000
        case .badData: 1001
        case .blocked: 1003
        case .invalidRequest: 2000
        case .status: 2001
        case .cancelled: 2002
        case .invalidResponse: 2003
        case .contentType: 2004
        case .unreachable: 3000
        case .timedOut: 3001
        case .insecure: 3002
        case .connectionLost: 3003
        case .tooManyRedirects: 3004
        case .tooLarge: 3005
        case .notCached: 3006
        case .unreadable: 3007
        case .unwritable: 3008
        case .unsupported: 3009
        case .invalidated: 3010
        case .forbiddenAddress: 3011
        case .offline: 3012
        default: 0
        }
    }
}
