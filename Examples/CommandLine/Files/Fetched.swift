import CalotypeStandard

/// An image, with the origin and timings for its report.
struct Fetched: Sendable {
    let image: Image
    /// The origin: `loader`, `disk`, `memory` or `stdin`.
    let origin: String
    /// The duration of each stage in milliseconds, in the order of execution.
    var stages: [(name: String, milliseconds: Double)]

    /// Creates the result of a manager's response.
    init(_ response: ImageResponse) {
        image = response.image
        origin = response.source.rawValue
        stages = []
        for step in response.metrics.steps where !stages.contains(where: { $0.name == step.stage.rawValue }) {
            let duration = response.metrics.duration(of: step.stage)
            stages.append((name: step.stage.rawValue, milliseconds: duration.milliseconds))
        }
    }

    /// Creates the result of decoding standard input.
    init(standardInput image: Image, stages: [(name: String, milliseconds: Double)]) {
        self.image = image
        self.stages = stages
        origin = "stdin"
    }

    /// Adds a stage that the tool itself has done.
    mutating func note(_ name: String, since start: ContinuousClock.Instant) {
        stages.append((name: name, milliseconds: start.duration(to: .now).milliseconds))
    }
}
