/// A coder of the library itself. Its decoders make only true claims about their pixels, and write all pixels or throw,
/// as tests show.
///
/// Other coders are not trusted in this way. The claims that their decoders pass to ``RowSink/begin(_:channels:)`` are
/// checked before they affect any file that is written. The memory that ``RowSink/whole(_:)`` lends to their decoders
/// is filled with zero, so that pixels that are not written show nothing of other pictures.
package protocol TruthfulCoder: ImageCoder {}
