/// Who was asked and why each passed: what an error says when nobody in a registry could help.
struct RefusalList {
    private var refusals: [String] = []

    var count: Int { refusals.count }

    mutating func add(_ component: String, _ reason: String) {
        refusals.append("\(component) \(reason)")
    }

    /// For example `asked: PNGCoder does not know it, QOICoder failed: bad header`.
    var summary: String {
        refusals.isEmpty ? "none is installed" : "asked: " + refusals.joined(separator: ", ")
    }
}
