extension ContextKey where Value == [StandIn] {
    /// The images that are shown until the requested one is there.
    public static let standIns = ContextKey(
        "standIns", default: [], summary: "What is shown until the image is there, from the worst to the best."
    ) { chain in
        chain.isEmpty ? "none" : chain.map(\.description).joined(separator: ", then ")
    }
}

extension ContextSetting {
    /// Sets the images that are shown until the requested one is there, from the worst to the best: see ``StandIn``.
    /// None is shown if the image is in memory. Default: none.
    public static func standIns(_ chain: [StandIn]) -> ContextSetting { .set(.standIns, to: chain) }
}
