// The part of Foundation that Easel uses, `Data`, `Date` and `URL`, and the system's C library. On Linux, an application
// that imports Easel links only FoundationEssentials, without ICU.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif

#if canImport(Glibc)
@_exported public import Glibc
#elseif canImport(Musl)
@_exported public import Musl
#else
@_exported public import Darwin
#endif
