/// The kind of operations that `calotype-cache-writer` prefers.
package enum WriterMode: String, Sendable, CaseIterable {
    /// Stores and reads; rarely walks over the directory.
    case storing
    /// Like `storing`, but a quarter of the operations remove, trim, verify or clear.
    case removing
}
