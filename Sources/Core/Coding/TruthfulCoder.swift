/// A coder of the library itself. Its decoders never claim falsely that pixels are opaque or gray, and they write all
/// pixels or throw, as tests show.
///
/// Decoders of all other coders are not trusted in this way. Their claims are checked before they affect any file that
/// is written. The memory that they get from ``RowSink/whole(_:)`` is filled with zero, so that pixels that are not
/// written show nothing of other pictures.
package protocol TruthfulCoder: ImageCoder {}
