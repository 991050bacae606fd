/// A coder of the library's own, whose tests show that its decoders say of their pixels only what is true, and write
/// all of them or throw.
///
/// What decoders of other coders say to ``RowSink/begin(_:channels:)`` is checked before it decides anything about a
/// file, and the memory that they are lent by ``RowSink/whole(_:)`` is zero, so that gaps show nothing of other
/// pictures.
package protocol TruthfulCoder: ImageCoder {}
