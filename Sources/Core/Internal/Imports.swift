// The one place that says where `URL`, `Data` and `Date` come from: the lean Essentials where they exist, all of
// Foundation elsewhere. Exported, so that a program that imports Calotype has the types that its interface uses.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
