import Calotype
import CalotypeTesting

/// A coder of its own format that keeps the contract, except for one defect.
///
/// A file is a signature of eight bytes, a head, and the pixels of each frame's region: four or eight bytes each.
final class FaultyCoder: ImageCoder {
    static let format = ImageFormat(
        name: "faulty", mimeTypes: ["image/x-calotype-faulty"], fileExtensions: ["faulty"],
        signatures: [ImageFormat.Signature(Array("CTFAULTY".utf8))], isLossless: true)

    /// The defect; nil for none.
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

    /// The file of the last decoder, which a coder must not retain.
    var lastFile: FaultyFile? { state.withLock { $0.file } }

    /// Returns a new number each time, which must not affect results.
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
