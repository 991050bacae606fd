import CalotypeStandard

/// The directory of this file, which contains the budgets and the peers' program. Benchmarks run where they were built.
enum SourceDirectory {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
}
