import Calotype
import CalotypeTesting

/// The sources of a random run, each with a URL of its own.
enum RandomSource: Int, CaseIterable {
    /// Changes, and gives each version a tag.
    case tagged
    /// Changes, and gives each version a date.
    case dated
    /// Changes, and says nothing of it.
    case plain
    /// Never changes, and breaks off now and then.
    case flaky
    /// Has nothing.
    case missing
    /// Has what is no picture.
    case damaged
    /// Has nothing itself; but caches are given pictures of it by hand.
    case given

    static let changing: [RandomSource] = [.tagged, .dated, .plain]

    var url: URL {
        let scheme = self == .flaky ? FlakyImageLoader.scheme : "fake"
        return URL(string: "\(scheme)://host/\(rawValue)")!
    }

    /// That of its pictures.
    var size: PixelSize { PixelSize(12 + rawValue, 10) }

    /// What it may fail with; nil for one that never does.
    var failure: ImageError.Code? {
        switch self {
        case .tagged, .dated, .plain: nil
        case .flaky: .connectionFailed
        case .missing, .given: .notFound
        case .damaged: .badData
        }
    }

    /// Whether there is ever a picture of it.
    var hasPicture: Bool { self != .missing && self != .damaged }

    /// What it says of a version.
    func validators(_ version: Int) -> Validators? {
        switch self {
        case .tagged: Validators(entityTag: "\"\(version)\"")
        case .dated: Validators(lastModified: "day \(version)")
        default: nil
        }
    }

    private static let damagedFile = Data("CALORAW {}\n".utf8)

    /// How many bytes it sends; none where it has nothing.
    var byteCount: Int {
        switch self {
        case .tagged, .dated, .plain, .flaky: RandomPicture(self, version: 0).file.count
        case .damaged: Self.damagedFile.count
        case .missing, .given: 0
        }
    }

    /// What a loader answers while it has that version.
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
