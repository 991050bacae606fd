import CalotypeStandard

/// A loaded image, with the origin and the timings that are reported.
struct Fetched: Sendable {
    let image: Image
    /// The origin of the image: `loader`, `disk`, `memory` or `stdin`.
    let origin: String
    /// The total duration of each stage in milliseconds, in the order in which the stages began.
    var stages: [(name: String, milliseconds: Double)]

    /// Creates the result from the response of a manager.
    init(_ response: ImageResponse) {
        image = response.image
        origin = response.source.rawValue
        stages = []
        for step in response.metrics.steps where !stages.contains(where: { $0.name == step.stage.rawValue }) {
            let duration = response.metrics.duration(of: step.stage)
            stages.append((name: step.stage.rawValue, milliseconds: duration.milliseconds))
        }
    }

    /// Creates the result for an image that was decoded from standard input.
    init(standardInput image: Image, stages: [(name: String, milliseconds: Double)]) {
        self.image = image
        self.stages = stages
        origin = "stdin"
    }

    /// Adds a stage of the tool itself, which ends now.
    /// - Parameters:
    ///   - name: The name of the stage.
    ///   - start: The time when the stage began.
    mutating func note(_ name: String, since start: ContinuousClock.Instant) {
        stages.append((name: name, milliseconds: start.duration(to: .now).milliseconds))
    }
}
