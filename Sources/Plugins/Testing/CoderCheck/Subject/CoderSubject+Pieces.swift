import Calotype

extension CoderSubject {
    /// Checks a coder that declares `readsInPieces`; see ``CoderCheck/pieces``.
    func checkPieces() throws {
        guard coder.readsInPieces else { return }
        let info = try decoder().info
        let whole = try picture()
        for byteCount in [1, 13, 256] {
            let source = PieceSource(sample.data)
            let bytes = ImageBytes(source, pieceByteCount: byteCount)
            guard let decoder = try coder.decoder(for: bytes, options: DecodeOptions()) else {
                throw Breach(
                    expected: "a decoder for a file in pieces of \(byteCount) bytes",
                    but: "`decoder(for:)` returned nil",
                    advice: "read the signature with `bytes.head`, which is as long as requested")
            }
            let inPieces = try decoder.info
            try expect(
                inPieces == info, "the `info` of the whole file from pieces of \(byteCount) bytes",
                but: "it is \(inPieces)", advice: "continue with the next piece where one ends")
            if let difference = try decoder.probe().picture().difference(from: whole) {
                throw Breach(
                    expected: "the same pixels from pieces of \(byteCount) bytes", but: "they \(difference)",
                    advice: "continue with the next piece where one ends")
            }
            let allowed = max(byteCount, Self.headByteCount)
            try expect(
                source.mostAtOnce <= allowed, "a coder that `readsInPieces`",
                but: "it read \(source.mostAtOnce) bytes at once from pieces of \(byteCount)",
                advice: "use `bytes.chunk(at:)` instead of `bytes.data`, or do not declare `readsInPieces`")
        }
    }
}
