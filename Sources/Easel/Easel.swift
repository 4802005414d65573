@_exported public import EaselCore
