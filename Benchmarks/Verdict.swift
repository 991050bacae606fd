/// The verdict of a measurement on its budget.
enum Verdict: String {
    /// The whole interval is within the budget.
    case better
    /// The goal is in the interval, which is narrow: the budget is just met.
    case level
    /// The whole interval is beyond the budget.
    case worse
    /// The goal is in the interval, which is wide: measure again on a quieter machine.
    case undecided
    /// The subject's peer is missing.
    case peerMissing = "peer missing"
    /// There is no server to load from.
    case noServer = "no server"
    /// The counted quantity cannot be counted on this system.
    case notCounted = "not counted"
    /// The row could not be measured.
    case failed

    /// The largest distance of the ends of a narrow interval from the goal, relative to the goal.
    private static let narrow = 0.05

    /// Creates the verdict on a ratio.
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

    /// Creates the verdict on a constant number.
    init(count: Double, goal: Double) {
        self = count == goal ? .level : count < goal ? .better : .worse
    }
}
