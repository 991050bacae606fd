#if HTTP
import CalotypeStandard
import CalotypeTesting

/// The time for cancelling a load whose server does not respond.
enum HTTPCancelling {
    private static let count = 200

    static var benchmarks: [Benchmark] {
        [
            Benchmark(id: "http/cancel", title: "HTTP load, from its cancelling to its end, ms") {
                let server = try ScriptedServer()
                server.answer("/silent", with: .silence)
                let manager = ImageManager(plugins: [.http], context: [.off(.imageCache)])
                var (ends, departures): ([Double], [Double]) = ([], [])
                for round in 1...count {
                    let task = manager.load(server.url("/silent"))
                    await server.waitForRequests(round)
                    let start = ContinuousClock.now
                    task.cancel()
                    guard case .cancelled? = await failure(of: task)?.code else {
                        throw BenchmarkError("a cancelled load did not end with the error `cancelled`")
                    }
                    ends.append(start.duration(to: .now).milliseconds)
                    await server.waitForOpenConnections(atMost: 0)
                    departures.append(start.duration(to: .now).milliseconds)
                }
                let (end, departure) = (Statistics.median(ends), Statistics.median(departures))
                let seen = "the server saw the connection go after \((departure * 1000).rounded()) us"
                return .count(end, text: "median of \(count); \(seen)")
            }
        ]
    }

    private static func failure(of task: ImageTask) async -> ImageError? {
        do {
            _ = try await task.response
            return nil
        } catch {
            return error
        }
    }
}
#endif
