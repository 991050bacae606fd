/// A list of the parts that were asked and of the reasons why each passed, for the error when no part in a registry
/// could help.
struct RefusalList {
    private var refusals: [String] = []

    var count: Int { refusals.count }

    mutating func add(_ component: String, _ reason: String) {
        refusals.append("\(component) \(reason)")
    }

    /// The list as text, for example `asked: PNGCoder does not know it, QOICoder failed: bad header`.
    var summary: String {
        refusals.isEmpty ? "none is installed" : "asked: " + refusals.joined(separator: ", ")
    }
}
