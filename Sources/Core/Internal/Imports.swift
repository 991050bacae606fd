// The one place that imports `URL`, `Data` and `Date`: from FoundationEssentials if it exists, otherwise from
// Foundation. The import is exported, so that a program that imports Calotype has the types that its interface uses.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
