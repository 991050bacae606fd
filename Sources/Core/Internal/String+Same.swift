extension String {
    /// Whether both are the same bytes. Texts that differ only in how Unicode composes a letter have files of their
    /// own, and servers tell them apart, so they must not be one key in memory.
    package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String? {
    /// Whether both are the same bytes, or neither is there.
    package func isSame(as other: String?) -> Bool {
        switch (self, other) {
        case (let one?, let other?): one.isSame(as: other)
        case (nil, nil): true
        default: false
        }
    }
}
