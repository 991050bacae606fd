import CalotypeStandard

/// The folder of this file, where the budgets and the peers' program are: the benchmarks run where they were built.
enum SourceFolder {
    static let url = URL(filePath: #filePath).deletingLastPathComponent()
}
