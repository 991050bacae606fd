import Calotype
import CalotypeTesting

/// A coder of a format of its own that keeps the contract, but for one defect.
///
/// A file is eight bytes of signature, a head, and the pixels of each frame's region: four bytes each, or eight.
final class FaultyCoder: ImageCoder {
    static let format = ImageFormat(
        name: "faulty", mimeTypes: ["image/x-calotype-faulty"], fileExtensions: ["faulty"],
        signatures: [ImageFormat.Signature(Array("CTFAULTY".utf8))], isLossless: true)

    /// Nil for a coder without one.
    let defect: CoderDefect?
    private let state = Lock((file: FaultyFile?.none, count: UInt8(0)))

    init(_ defect: CoderDefect? = nil) {
        self.defect = defect
    }

    var formats: [ImageFormat] { [Self.format] }
    var readsInPieces: Bool { true }

    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? {
        if defect == .throwsForForeignBytes, !recognizes(bytes) { throw FaultyFile.damaged("is no file of mine") }
        guard recognizes(bytes) || defect == .claimsForeignBytes else { return nil }
        let data = defect == .readsAllAtOnce ? bytes.data : Self.data(of: bytes)
        let file = try FaultyFile(data)
        state.withLock { $0.file = file }
        return FaultyDecoder(coder: self, file: file, options: options)
    }

    func progressiveDecoder(for head: ImageBytes, options: DecodeOptions) throws -> (any ProgressiveDecoder)? {
        recognizes(head) ? FaultyProgressiveDecoder(coder: self, options: options) : nil
    }

    func encoder(for format: ImageFormat) -> (any ImageEncoder)? {
        format == Self.format ? FaultyEncoder(coder: self) : nil
    }

    /// The last file that a decoder was made for: what a coder must not keep.
    var lastFile: FaultyFile? { state.withLock { $0.file } }

    /// A number that is another each time: what must not get into what is read or written.
    func count() -> UInt8 {
        state.withLock { state in
            state.count &+= 1
            return state.count
        }
    }

    private static func data(of bytes: ImageBytes) -> Data {
        var data = Data()
        while let piece = bytes.chunk(at: data.count), !piece.isEmpty { data += piece }
        return data
    }
}
