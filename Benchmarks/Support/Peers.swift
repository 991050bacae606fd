/// The Python peers, which are started when a row first needs one.
final class Peers {
    /// The names of the peers for the worker, and their titles for people.
    enum Name: String, CaseIterable {
        case vips
        case pillow
        case opencv
        case aiohttp

        /// The peers that resize.
        static let resizers: [Name] = [.vips, .pillow]

        var title: String {
            switch self {
            case .vips: "libvips"
            case .pillow: "Pillow"
            case .opencv: "OpenCV"
            case .aiohttp: "aiohttp"
            }
        }
    }

    private let python: String?
    /// The started workers, by the number of libvips threads; empty until a row needs one.
    private var known: [Int: Result<PeerWorker, BenchmarkError>] = [:]

    /// Creates peers from the packages of a python3; nil for no peers.
    init(python: String?) {
        self.python = python
    }

    /// Returns a worker that has the peer, with `threadCount` threads for libvips. Throws the reason if there is none.
    func worker(with name: Name, threadCount: Int = 1) throws(BenchmarkError) -> PeerWorker {
        let started = try start(threadCount: threadCount)
        guard started.versions[name.rawValue] != nil else {
            throw BenchmarkError("\(name.title) is not installed; run make bench, which installs it")
        }
        return started
    }

    /// Returns the peer of this name, and a worker that has it. Throws the reason if there is none.
    func codec(_ name: String) throws(BenchmarkError) -> (Name, PeerWorker) {
        guard let name = Name(rawValue: name) else { throw BenchmarkError("there is no peer '\(name)'") }
        return (name, try worker(with: name))
    }

    /// The versions of the peers in use, for people; nil if no row has needed one.
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
                throw BenchmarkError("no python3 with the peers is given; run make bench, which installs one")
            }
            result = .success(try PeerWorker.started(python: python, threadCount: threadCount))
        } catch {
            result = .failure(error)
        }
        known[threadCount] = result
        return try result.get()
    }
}
