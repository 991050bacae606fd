import Calotype
import CalotypeTesting

/// The sources of a random run, each with its own URL.
enum RandomSource: Int, CaseIterable {
    /// A source that changes, and gives each version an entity tag.
    case tagged
    /// A source that changes, and gives each version a date.
    case dated
    /// A source that changes, without validators.
    case plain
    /// A source that never changes, and sometimes breaks off.
    case flaky
    /// A source without pictures.
    case missing
    /// A source whose file is not a picture.
    case damaged
    /// A source without pictures, for which pictures are stored manually.
    case given

    static let changing: [RandomSource] = [.tagged, .dated, .plain]

    var url: URL {
        let scheme = self == .flaky ? FlakyImageLoader.scheme : "fake"
        return URL(string: "\(scheme)://host/\(rawValue)")!
    }

    /// The size of its pictures.
    var size: PixelSize { PixelSize(12 + rawValue, 10) }

    /// The error code of its failures; nil if it never fails.
    var failure: ImageError.Code? {
        switch self {
        case .tagged, .dated, .plain: nil
        case .flaky: .connectionFailed
        case .missing, .given: .notFound
        case .damaged: .badData
        }
    }

    /// Whether pictures of it exist.
    var hasPicture: Bool { self != .missing && self != .damaged }

    /// Returns the validators of a version.
    func validators(_ version: Int) -> Validators? {
        switch self {
        case .tagged: Validators(entityTag: "\"\(version)\"")
        case .dated: Validators(lastModified: "day \(version)")
        default: nil
        }
    }

    private static let damagedFile = Data("CALORAW {}\n".utf8)

    /// The number of bytes that it sends; 0 without a picture.
    var byteCount: Int {
        switch self {
        case .tagged, .dated, .plain, .flaky: RandomPicture(self, version: 0).file.count
        case .damaged: Self.damagedFile.count
        case .missing, .given: 0
        }
    }

    /// Returns the loader's response for a version.
    func answer(_ version: Int) -> FakeImageLoader.Answer {
        switch self {
        case .tagged, .dated, .plain, .flaky:
            let file = RandomPicture(self, version: version).file
            return .version(file, LoadHead(validators: validators(version)))
        case .missing, .given:
            return .failure(ImageError(.notFound, stage: .load, message: "is not there"))
        case .damaged:
            return .bytes(Self.damagedFile)
        }
    }
}
