import Calotype

/// The events of a task from a certain moment to its end.
struct TaskStory: Sendable {
    private(set) var previews: [Image] = []
    private(set) var cached: [ImageResponse] = []
    /// The ends, of which there must be exactly one.
    private(set) var ends: [Result<ImageResponse, ImageError>] = []
    /// Whether an event followed the end.
    private(set) var goesOnAfterItsEnd = false

    init(of task: ImageTask) async {
        var events = task.makeAsyncIterator()
        while !goesOnAfterItsEnd {
            let isOver = !ends.isEmpty
            do {
                guard let event = try await events.next() else { return }
                switch event {
                case .preview(let image, _): previews.append(image)
                case .cached(let response): cached.append(response)
                case .finished(let response): ends.append(.success(response))
                default: break
                }
            } catch let error as ImageError {
                ends.append(.failure(error))
            } catch {
                return
            }
            goesOnAfterItsEnd = isOver
        }
    }
}
