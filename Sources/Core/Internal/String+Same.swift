extension String {
    /// Whether both are the same bytes. Texts that differ only in how Unicode composes a letter have files of their
    /// own, and so must not be one key in memory.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
