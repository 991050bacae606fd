extension ImageManager {
    /// A manager with the standard plugins and default settings, for programs that need only one manager.
    public static let shared = ImageManager(plugins: [.standard])
}
