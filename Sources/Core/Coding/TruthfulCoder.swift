/// A coder of the library, whose decoders make only true claims about their pixels, and write all pixels or throw.
/// Tests show that they do.
///
/// The claims that decoders of other coders pass to ``RowSink/begin(_:channels:)`` are checked before they decide
/// anything about a file. The memory that ``RowSink/whole(_:)`` lends them is zero, so that gaps show nothing of other
/// pictures.
package protocol TruthfulCoder: ImageCoder {}
