extension ContextKey where Value == Int {
    /// The longest file in bytes.
    public static let maxInputBytes = ContextKey(
        "maxInputBytes", default: 256 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "Refuse files longer than this, in bytes, as soon as it shows.")
}

extension ContextKey where Value == (any ImageLoader)? {
    /// The loader to use instead of the registered ones.
    public static let imageLoader = ContextKey(
        "imageLoader", default: nil, affects: .transfer,
        summary: "The loader to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextSetting {
    /// Refuse files longer than this, as soon as it shows. Default: 256 MiB.
    public static func maxInputBytes(_ count: Int) -> ContextSetting { .set(.maxInputBytes, to: count) }
    /// The loader to use instead of the registered ones.
    public static func imageLoader(_ loader: any ImageLoader) -> ContextSetting { .set(.imageLoader, to: loader) }
}
