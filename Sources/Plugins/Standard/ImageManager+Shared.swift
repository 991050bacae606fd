extension ImageManager {
    /// A manager with the standard plugins and nothing else changed, for programs that need just one.
    public static let shared = ImageManager(plugins: [.standard])
}
