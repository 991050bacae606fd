import Calotype
import CalotypeTesting

/// A decoder of ``FaultyCoder``'s files while they arrive, with the coder's defect.
final class FaultyProgressiveDecoder: ProgressiveDecoder {
    private let coder: FaultyCoder
    private let options: DecodeOptions
    private var data = Data()
    private var isComplete = false
    private var hasToldDamage = false

    init(coder: FaultyCoder, options: DecodeOptions) {
        self.coder = coder
        self.options = options
    }

    func append(_ bytes: RawSpan, isLast: Bool) throws {
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in data.append(contentsOf: bytes) }
        isComplete = isLast
    }

    var info: ImageInfo {
        get throws {
            if coder.defect == .forgetsInfo, !isComplete, !data.count.isMultiple(of: 3) { throw FaultyFile.incomplete }
            return try FaultyDecoder(coder: coder, file: file(), options: options).info
        }
    }

    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws {
        var file = try file()
        if case .missing = file.row(0, ofFrame: 0), !isComplete { throw FaultyFile.incomplete }
        var isLenient = !isComplete || coder.defect == .halfPictureInTheEnd
        let damage = damage(in: file)
        if let damage, !(coder.defect == .forgetsDamage && hasToldDamage) {
            hasToldDamage = true
            throw damage
        }
        isLenient = isLenient || damage != nil
        if coder.defect == .otherPictureInTheEnd, isComplete { file = file.withOtherCorner }
        let decoder = FaultyDecoder(coder: coder, file: file, options: options, substitute: isLenient ? 0 : nil)
        try decoder.decode(frame: frame, into: &sink, job: job)
    }

    private func file() throws(ImageError) -> FaultyFile {
        do throws(ImageError) {
            return try FaultyFile(data)
        } catch {
            guard isComplete, error.code == .incomplete else { throw error }
            throw FaultyFile.damaged("ends in the head")
        }
    }

    /// Returns the error for a damaged row among those received.
    private func damage(in file: FaultyFile) -> ImageError? {
        for y in 0..<file.size(ofFrame: 0).height {
            if case .damaged = file.row(y, ofFrame: 0) { return FaultyFile.damaged("is damaged in row \(y)") }
        }
        return nil
    }
}
