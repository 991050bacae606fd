/// What `calotype-cache-writer` does most.
package enum WriterMode: String, Sendable, CaseIterable {
    /// Stores and reads; seldom walks over the directory.
    case storing
    /// Removes, trims, verifies and clears every fourth time.
    case removing
}
