import CalotypeTesting

@testable import Calotype

extension ImageManager {
    /// Waits until a number of waiters wait for a work of a request, so that all of them share it.
    func waitForWaiters(_ count: Int, for work: AwaitedWork, of request: ImageRequest) async throws {
        let resolved = try await resolved(of: request)
        let decode = DecodeKey(resolved, after: pipeline.changes)
        try await waitUntil("\(count) waiters wait for the \(work)") {
            switch work {
            case .original:
                pipeline.originals.waiterCount(for: OriginalKey(resolved, after: pipeline.changes)) >= count
            case .decode:
                pipeline.decodes.waiterCount(for: decode) >= count
            case .steps(let stepCount):
                pipeline.transforms.waiterCount(
                    for: TransformKey(decode: decode, steps: resolved.transformers.prefix(stepCount).map(\.key))
                ) >= count
            }
        }
    }
}
