public import Calotype

extension Plugin {
    /// Loads files.
    public static let file = Plugin(name: "File") { $0.loaders.add(FileImageLoader()) }
}
