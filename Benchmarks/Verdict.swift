/// What a measurement says of its budget.
enum Verdict: String {
    /// All of the interval is within the budget.
    case better
    /// The goal is in the interval, which is narrow: it is just met.
    case level
    /// All of the interval is beyond the budget.
    case worse
    /// The goal is in the interval, which is wide: measure again on a quieter machine.
    case undecided
    /// What the subject would be compared with is not there.
    case peerMissing = "peer missing"
    /// There is no server to load from.
    case noServer = "no server"
    /// What would be counted cannot be counted on this system.
    case notCounted = "not counted"
    /// The row could not be measured.
    case failed

    /// How far the ends of a narrow interval are from the goal at most, as a part of it.
    private static let narrow = 0.05

    /// The verdict on a ratio.
    init(_ ratio: Ratio, goal: Double) {
        if ratio.high <= goal {
            self = .better
        } else if ratio.low > goal {
            self = .worse
        } else if ratio.low >= goal * (1 - Self.narrow), ratio.high <= goal * (1 + Self.narrow) {
            self = .level
        } else {
            self = .undecided
        }
    }

    /// The verdict on a number that does not vary.
    init(count: Double, goal: Double) {
        self = count == goal ? .level : count < goal ? .better : .worse
    }
}
