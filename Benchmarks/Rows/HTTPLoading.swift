#if HTTP
import CalotypeStandard
import CalotypeTesting

/// Many files over HTTP from the loopback interface, all requested at once.
enum HTTPLoading {
    /// The peers of the loader.
    private enum Peer: String, CaseIterable {
        case libcurl
        case curl
        case urlsession
        case aiohttp

        var title: String {
            switch self {
            case .libcurl: "libcurl"
            case .curl: "curl --parallel"
            case .urlsession: "URLSession"
            case .aiohttp: "aiohttp"
            }
        }
    }

    /// The files on the server, and the number to load.
    private struct Files {
        let name: String
        let title: String
        let count: Int
        let byteCount: Int
    }

    private static let small = Files(name: "10k", title: "GET 2000 x 10 KiB", count: 2000, byteCount: 10 << 10)
    private static let large = Files(name: "1m", title: "GET 200 x 1 MiB", count: 200, byteCount: 1 << 20)

    static func benchmarks(_ server: FileServer?, _ peers: Peers) -> [Benchmark] {
        let sizes = [6, 16, 64].map { (small, $0) } + [(large, 6)]
        return sizes.flatMap { files, limit in
            Peer.allCases.map { peer in row(files, limit: limit, peer, server, peers) }
        }
    }

    private static func row(
        _ files: Files, limit: Int, _ peer: Peer, _ server: FileServer?, _ peers: Peers
    ) -> Benchmark {
        Benchmark(
            id: "http/get-\(files.name)/\(limit)/\(peer.rawValue)",
            title: "\(files.title), \(limit) at once / \(peer.title)"
        ) {
            guard let server else { return FileServer.missing }
            return try await prepare(files, limit: limit, peer, server, peers)
        }
    }

    private static func prepare(
        _ files: Files, limit: Int, _ peer: Peer, _ server: FileServer, _ peers: Peers
    ) async throws -> Contest {
        var generator = SplitMix64(seed: 1)
        let bytes = Data((0..<files.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let batch = FileBatch(
            address: try server.serve(bytes, as: files.name), count: files.count, byteCount: files.byteCount,
            limit: limit)
        let theirs: Contender
        switch peer {
        case .libcurl:
            let client = try BareHTTPClient(batch)
            theirs = Contender { repeats in
                for _ in 0..<repeats { try client.get() }
            }
        case .curl:
            guard CurlTool.isInstalled else {
                return .unavailable(.peerMissing, because: "curl is not installed; install it")
            }
            let tool = try CurlTool(batch)
            theirs = Contender { repeats in
                for _ in 0..<repeats { try tool.get() }
            }
        case .urlsession:
            let client = try URLSessionClient(batch)
            theirs = Contender { repeats in
                for _ in 0..<repeats { try await client.get() }
            }
        case .aiohttp:
            let worker: PeerWorker
            do {
                worker = try peers.worker(with: .aiohttp)
            } catch {
                return .unavailable(.peerMissing, because: "\(error)")
            }
            theirs = Contender.keepingTime { repeats in
                try worker.get(batch, with: .aiohttp, repeats: repeats)
            }
        }
        let ours = try LoaderClient(batch)
        try await ours.check(against: bytes)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats { try await ours.get() }
            },
            peer: theirs)
    }
}
#endif
