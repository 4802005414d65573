// The part of Foundation that Easel's modules use: `Data`, `Date` and `URL`. Where Foundation comes in parts, as on Linux, an
// application that imports Easel links the smallest of them, without ICU.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
