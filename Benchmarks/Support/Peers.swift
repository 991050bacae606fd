/// The peers that live in Python, started when a row first wants one.
final class Peers {
    /// The names that the worker knows the peers by, and those that people know.
    enum Name: String, CaseIterable {
        case vips
        case pillow
        case aiohttp

        /// Those that resize.
        static let resizers: [Name] = [.vips, .pillow]

        var title: String {
            switch self {
            case .vips: "libvips"
            case .pillow: "Pillow"
            case .aiohttp: "aiohttp"
            }
        }
    }

    private let python: String?
    /// By the number of threads that libvips has; empty until a row has asked.
    private var known: [Int: Result<PeerWorker, BenchmarkError>] = [:]

    /// Peers in the packages of a python3; nil for none.
    init(python: String?) {
        self.python = python
    }

    /// A worker that has the peer, with so many threads for libvips. Throws why there is none.
    func worker(with name: Name, threadCount: Int = 1) throws(BenchmarkError) -> PeerWorker {
        let started = try start(threadCount: threadCount)
        guard started.versions[name.rawValue] != nil else {
            throw BenchmarkError("\(name.title) is not installed; run make bench, which does that")
        }
        return started
    }

    /// The peers in use, for people; nil when no row has asked for one.
    var versions: String? {
        guard case .success(let worker)? = known.values.first else { return nil }
        return Name.allCases
            .compactMap { name in worker.versions[name.rawValue].map { "\(name.title) \($0)" } }
            .joined(separator: ", ")
    }

    private func start(threadCount: Int) throws(BenchmarkError) -> PeerWorker {
        if let known = known[threadCount] { return try known.get() }
        let result: Result<PeerWorker, BenchmarkError>
        do throws(BenchmarkError) {
            guard let python else {
                throw BenchmarkError("no python3 with the peers was given; run make bench, which makes one")
            }
            result = .success(try PeerWorker.started(python: python, threadCount: threadCount))
        } catch {
            result = .failure(error)
        }
        known[threadCount] = result
        return try result.get()
    }
}
