import CalotypeStandard

/// The directory of this file, where the budgets and the peers' program are: the benchmarks run where they were built.
enum SourceDirectory {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
}
