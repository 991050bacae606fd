import CalotypeStandard

/// An image, with what is to be told of how it came.
struct Fetched: Sendable {
    let image: Image
    /// Where it came from: `loader`, `disk`, `memory` or `stdin`.
    let origin: String
    /// How long each stage took, in milliseconds, in the order in which they were done.
    var stages: [(name: String, milliseconds: Double)]

    /// What a manager answered.
    init(_ response: ImageResponse) {
        image = response.image
        origin = response.source.rawValue
        stages = []
        for step in response.metrics.steps where !stages.contains(where: { $0.name == step.stage.rawValue }) {
            let duration = response.metrics.duration(of: step.stage)
            stages.append((name: step.stage.rawValue, milliseconds: duration.milliseconds))
        }
    }

    /// What was decoded of standard input.
    init(standardInput image: Image, stages: [(name: String, milliseconds: Double)]) {
        self.image = image
        self.stages = stages
        origin = "stdin"
    }

    /// Notes a stage that the tool itself has done.
    mutating func note(_ name: String, since start: ContinuousClock.Instant) {
        stages.append((name: name, milliseconds: start.duration(to: .now).milliseconds))
    }
}
