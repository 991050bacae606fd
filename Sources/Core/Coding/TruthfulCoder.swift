/// A coder of the library's own, whose tests show that its decoders say of their pixels only what is true.
///
/// What decoders of other coders say to ``RowSink/begin(_:channels:)`` is checked before it decides anything about a
/// file.
package protocol TruthfulCoder: ImageCoder {}
