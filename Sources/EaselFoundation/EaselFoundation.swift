// The part of Foundation that Easel uses: `Data`, `Date` and `URL`. On Linux, an application that imports Easel links
// only FoundationEssentials, without ICU.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
