/// The components of a registry that declined or failed, each with its reason, for the message of an error.
struct RefusalList {
    private var refusals: [String] = []

    var count: Int { refusals.count }

    mutating func add(_ component: String, _ reason: String) {
        refusals.append("\(component) \(reason)")
    }

    /// The list as text, for example `asked: PNGCoder does not recognize it, QOICoder failed: bad header`.
    var summary: String {
        refusals.isEmpty ? "none is installed" : "asked: " + refusals.joined(separator: ", ")
    }
}
