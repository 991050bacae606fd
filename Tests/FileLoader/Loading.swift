import Calotype
import CalotypeFile
import CalotypeTesting
import Foundation

/// Loads a file with the loader alone.
func load(_ path: String, _ context: ImageContext = [], into sink: CollectingSink) async throws -> LoadOutcome {
    let request = LoadRequest(url: URL(filePath: path), context: ResolvedContext(context))
    return try await FileImageLoader().load(request, into: sink)
}

/// Returns the error of `body`; nil if it throws none.
func failure<Result>(of body: () async throws -> Result) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Returns bytes in which no two pieces are equal: they repeat after a prime number, of which no piece is a multiple.
func bytes(_ count: Int) -> Data {
    let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    var bytes = Data(capacity: count)
    while bytes.count < count { bytes.append(block.prefix(count - bytes.count)) }
    return bytes
}

extension LoadOutcome {
    var isComplete: Bool {
        if case .complete = self { return true }
        return false
    }
}
