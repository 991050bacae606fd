// The one place that says where `URL`, `Data` and `Date` come from: the lean Essentials where they exist, all of
// Foundation elsewhere. Exported, so that whoever imports Calotype has the types that its interface speaks of.
#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
