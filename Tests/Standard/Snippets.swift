#if PNG
public import CalotypeStandard
import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

// The snippets of the documentation, which are compiled here. `SnippetTests` checks that none is missing.

private struct QOICoder: ImageCoder {
    var formats: [ImageFormat] {
        [ImageFormat(name: "qoi", mimeTypes: ["image/qoi"], fileExtensions: ["qoi"], signatures: [])]
    }
}

private func readme(url: URL) async throws {
    let manager = ImageManager(plugins: [.standard])
    let image = try await manager.image(for: url)
    let small = try await manager.image(for: url, context: [.thumbnailPixelSize(64, 64)])

    let request = ImageRequest(
        url,
        context: [
            .thumbnailPixelSize(400, 400), .transformer(.resize(width: 320, height: 240, mode: .fill)),
            .progressiveLoad, .off(.cacheSerializer),
        ])
    let task = manager.load(request)
    task.priority = .high
    for try await event in task {
        switch event {
        case .progress(let progress): print(progress.fraction ?? 0)
        case .preview(let image, _): print("preview:", image.size)
        case .cached(let response): print("cached image:", response.image.size)
        case .finished(let response): print(response.source, response.image.size)
        @unknown default: break
        }
    }

    manager.registry.coders.add(QOICoder())  // a format is one type and one line
    let server = ImageManager(plugins: [.standard], context: .server)  // limits for untrusted URLs and bytes
    _ = (image, small, server)
}

func loadFromStrangers() {
    let manager = ImageManager(plugins: [.standard], context: [.addressPolicy(.publicOnly)])
    _ = manager
}

func judgeAddresses() {
    let isPublic = IPAddress("192.168.0.1")?.isPublic  // false
    let address = IPAddress("127.1")  // nil: some systems accept this notation, but it is not the standard one
    _ = (isPublic, address)
}

extension ContextKey where Value == Int {
    public static let paletteSize = ContextKey(
        "paletteSize", default: 256, affects: .pixels, summary: "Colors of a reduced picture, 2 to 256.")
}
extension ContextSetting {
    public static func paletteSize(_ count: Int) -> ContextSetting { .set(.paletteSize, to: count) }
}

extension Plugin {
    public static let qoi = Plugin(name: "QOI") { registry in registry.coders.add(QOICoder()) }
}

/// The largest image goes first.
struct LargestFirstPolicy: EvictionPolicy {
    private var costs: [Int: Int] = [:]

    mutating func insert(_ slot: Int, fingerprint: Int, cost: Int) { costs[slot] = cost }
    mutating func touch(_ slot: Int) {}
    mutating func remove(_ slot: Int) { costs[slot] = nil }
    mutating func evict() -> Int? {
        let largest = costs.max { $0.value < $1.value }?.key
        if let largest { remove(largest) }
        return largest
    }
}

private func loading(url: URL, request: ImageRequest, show: (Image) -> Void) async throws {
    do {
        let manager = ImageManager(plugins: [.standard])
        let image = try await manager.image(for: url)
        show(image)
    }
    let manager = ImageManager(plugins: [.standard])
    do {
        let task = manager.load(request)
        for try await event in task {
            switch event {
            case .progress(let progress): print(progress.fraction ?? 0)
            case .preview(let image, _): show(image)
            case .cached(let response): show(response.image)
            case .finished(let response): show(response.image)
            @unknown default: break
            }
        }
    }
    do {
        struct Bar { var fraction: Double? }
        let task = manager.load(request)
        var bar = Bar()
        for await progress in task.progress { bar.fraction = progress.fraction }
    }
    do {
        let request = ImageRequest(url, context: [.thumbnailPixelSize(400, 400)])
        let context: ImageContext = [.thumbnailPixelSize(400, 400), .off(.cacheSerializer)]
        _ = (request, context)
    }
    manager.registry.coders.add(QOICoder())
}

private func readmeForAll(url: URL, urls: [URL], manager: ImageManager) {
    manager.context.set(.retryPolicy(RetryPolicy(count: 3)))
    manager.load(url, on: .mainActor) { result in print(result.map { $0.image.size }) }

    let prefetcher = ImagePrefetcher(manager: manager)  // retain it: its deinitialization cancels all lists
    prefetcher.start(urls) { print("\($0.finished) of \($0.total)") }
}

private func callbacks(url: URL, manager: ImageManager) {
    manager.load(url) { result in
        switch result {
        case .success(let response): print(response.image.size)
        case .failure(let error): print(error)
        }
    }
}

private func retries() {
    let manager = ImageManager(plugins: [.standard], context: [.retryPolicy(RetryPolicy(count: 3))])
    let statistics = manager.statistics
    print(statistics.memoryHits, statistics.loads, statistics[.decode].latency.mean)
}

private func prefetching(urls: [URL], manager: ImageManager) async {
    func show(_ count: Int, of total: Int) { print(count, total) }
    let prefetcher = ImagePrefetcher(manager: manager)
    let token = prefetcher.start(urls) { print("\($0.finished) of \($0.total)") }
    let counts = await token.completion
    for await progress in token { show(progress.finished, of: progress.total) }
    print(counts)
}

private func placeholders(url: URL, thumbnailURL: URL, hash: Data) throws {
    let request = ImageRequest(url, context: [.placeholders([.thumbHash(hash), .url(thumbnailURL), .cachedSize])])
    do {
        let blur = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(size: PixelSize(32, 24))
        print(blur.size)
    }
    let blur = try ThumbHash("0lkKHZJAWVqCiIiHiHh4hxBxB+R4").image()
    print(blur.size, request)
}

private func answers(start: Double, end: Double, response: (headers: [String: String], Void)) {
    var head = LoadHead()
    head.caching = HTTPCacheRecord(status: 200, requestedAt: start, receivedAt: end) { response.headers[$0] }
    print(head)
}

private func pixels(image: Image) throws {
    func fill(_ builder: inout PixelBufferBuilder) {}
    var builder = try PixelBufferBuilder(layout: image.pixels.layout)
    fill(&builder)
    let made = image.replacing(pixels: builder.finish())
    _ = made
}

private func files() {
    let manager = ImageManager(plugins: [.standard], context: [.allowedSchemes(["http", "https"])])
    let server = ImageManager(plugins: [.standard], context: [.allowedDirectories(["/srv/pictures", "/srv/logos"])])
    _ = (manager, server)
}

#if HTTP
private func transfers() {
    do {
        var configuration = CurlImageLoader.Configuration()
        configuration.maxConcurrentLoads = 12
        let manager = ImageManager(plugins: [.http(configuration), .png])
        _ = manager
    }
    var headers: HTTPHeaders = ["Authorization": "Bearer abc", "Accept-Language": "pt"]
    headers["Accept"] = "image/webp"
    let codes: HTTPStatusCodes = [200...299, 410...410]
    let types: MediaTypes = ["image/*", "application/octet-stream"]
    _ = (headers, codes, types)
}

private func formatQualities() -> ImageContext {
    let context: ImageContext = [.formatQualities(["avif": 0.5, "webp": 0.75])]
    return context
}

private func signing(token: String) {
    let context: ImageContext = [.httpHeaders(.authorization("Bearer \(token)", identity: "user-17"))]
    _ = context
}

struct Session: Sendable {
    let userID = "user-17"

    func token() async throws -> String { "abc" }
}

struct SigningLoader: ForwardingImageLoader {
    let base: any ImageLoader
    let session: Session
    var distinction: String { session.userID }

    @concurrent func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        var headers = request.context[.httpHeaders]
        headers["Authorization"] = "Bearer \(try await session.token())"
        return try await base.load(request.adding([.httpHeaders(headers)]), into: sink)
    }
}
#endif

private func servers(manager: ImageManager, picture: Data, gate: BlockingGate) async throws {
    let server = try ScriptedServer()
    server.answer("/good.png", with: .bytes(picture, contentType: "image/png"))
    server.answer("/short.png", with: .bytes(picture).cut(after: 100))
    server.answer("/slow.png", with: .bytes(picture).stalled(after: 100, at: gate))
    server.answer("/moody.png") { $0.attempt == 1 ? .status(503) : .bytes(picture) }

    let image = try await manager.image(for: server.url("/good.png"))
    print(image.size, server.requestCount(of: "/good.png"), server.connectionCount)
    server.stop()
}

private func waits(loader: FakeImageLoader) async throws {
    try await waitUntil("the load is cancelled") { loader.cancelCount == 1 }
}

private func contracts(data: Data, other: Data) async {
    let findings = await checkCoder(QOICoder(), with: [CoderSample("plain", data), CoderSample("alpha", other)])
    precondition(findings.isEmpty, "\(findings)")
}

/// A cache of an application, as far as the snippets need it.
private final class SQLiteCache: DataCache {
    private let cache: InMemoryDataCache

    init(at directory: URL, time: any TimeSource) throws { cache = InMemoryDataCache(time: time) }

    func entry(for key: VariantKey) throws -> CacheEntry? { try cache.entry(for: key) }
    func contains(_ key: VariantKey) throws -> Bool { try cache.contains(key) }
    func store(_ entry: CacheEntry, for key: VariantKey) throws { try cache.store(entry, for: key) }
    func remove(_ key: VariantKey) throws { try cache.remove(key) }
    func removeAll(of source: SourceKey) throws { try cache.removeAll(of: source) }
    func clear() throws { try cache.clear() }
}

private func checks(newDirectory: @escaping @Sendable () -> URL) async {
    do {
        let findings = await checkDataCache { time in try SQLiteCache(at: newDirectory(), time: time) }
        precondition(findings.isEmpty, "\(findings)")
    }
    do {
        let findings = await checkMemoryCache { time in BoundedMemoryCache(policy: .lru, time: time) }
        precondition(findings.isEmpty, "\(findings)")
    }
    do {
        let findings = await checkImageCache { time in
            try TieredCache(memory: BoundedMemoryCache(time: time), disk: SQLiteCache(at: newDirectory(), time: time))
        }
        precondition(findings.isEmpty, "\(findings)")
    }
    do {
        let findings = checkEvictionPolicy(LargestFirstPolicy())
        precondition(findings.isEmpty, "\(findings)")
    }
}

private func dataURIs() async throws {
    let manager = ImageManager(plugins: [.standard])
    let image = try await manager.image(for: "data:image/png;base64,iVBORw0KGgo...")
    _ = image
}

/// A replacement for swift-crypto, which cannot be a dependency: only the names and signatures that the snippet uses.
/// So the snippet is compiled, but not against the library itself; nothing here encrypts.
private struct SymmetricKey: Sendable {}

private enum AES {
    enum GCM {
        struct SealedBox {
            let nonce: Data
            let ciphertext: Data
            let tag: Data

            init(combined: Data) throws {
                nonce = combined.prefix(12)
                ciphertext = combined.dropFirst(12).dropLast(16)
                tag = combined.suffix(16)
            }
        }

        static func seal(_ bytes: Data, using key: SymmetricKey) throws -> SealedBox { try SealedBox(combined: bytes) }
        static func open(_ box: SealedBox, using key: SymmetricKey) throws -> Data { box.ciphertext }
    }
}

private func sealing(directory: URL, key: SymmetricKey) -> DiskCache {
    struct SealingTransform: DataTransform {
        let identity = "aes-gcm/key-7"
        let key: SymmetricKey

        func encode(_ bytes: Data) throws -> Data {
            let box = try AES.GCM.seal(bytes, using: key)
            return box.nonce + box.ciphertext + box.tag
        }
        func decode(_ bytes: Data) throws -> Data { try AES.GCM.open(AES.GCM.SealedBox(combined: bytes), using: key) }
    }
    return DiskCache(at: directory, transform: SealingTransform(key: key))
}

private func directories(directory: URL, file: @escaping @Sendable (SourceKey) -> String) {
    do {
        let avatars = DiskCache(at: DiskCache.directory(forNamespace: "avatars"))
        _ = avatars
    }
    do {
        @Sendable func name(of source: SourceKey) -> String { file(source) }
        let bundled = ReadOnlyDirectory.files { $0.isOriginal ? "/usr/share/shop/\(name(of: $0.source))" : nil }
        let cache = DiskCache(at: directory, readOnlyDirectories: [bundled])
        _ = cache
    }
    do {
        let files = FaultyFileSystem { operation, _ in operation == .writeFile ? ENOSPC : nil }
        let cache = DiskCache(at: directory, fileSystem: files)
        _ = cache
    }
}

private func trust(url: URL) {
    let authorities = CertificateAuthorities(path: "/etc/ssl/company.pem")
    let request = ImageRequest(url, context: [.certificateAuthorities(authorities)])
    _ = request
}

private func caching(directory: URL, ownDirectory: DiskCache, sharedDirectory: DiskCache) {
    do {
        let cache = TieredCache(memory: BoundedMemoryCache(costLimit: 64 << 20), disk: DiskCache(at: directory))
        let manager = ImageManager(plugins: [.standard], context: [.imageCache(cache)])
        _ = manager
    }
    do {
        let cache = DiskCache(at: DiskCache.defaultDirectory, configuration: .init(byteLimit: 200 << 20))
        let manager = ImageManager(plugins: [.standard], context: [.imageCache(TieredCache(disk: cache))])
        _ = manager
    }
    do {
        let group = CacheGroup([TieredCache(disk: ownDirectory), TieredCache(memory: nil, disk: sharedDirectory)])
        let manager = ImageManager(plugins: [.standard], context: [.imageCache(group)])
        _ = manager
    }
    do {
        let cache = BoundedMemoryCache(costLimit: 64 << 20, policy: .lru)
        _ = cache
    }
}

private func transformers(manager: ImageManager, stamp: @escaping @Sendable (Image, Job) throws -> Image) async {
    struct Frame: RecipeTransformer {
        var width = 4
        var color = PixelColor.black

        static let recipe = TransformerRecipe(
            "frame", defaults: Frame(), summary: "Draws a frame around the picture.",
            parameters: [
                .required("width", \.width, in: 1...100, summary: "The width in pixels."),
                .optional("color", \.color, summary: "The color."),
            ])

        func transform(_ image: Image, context: TransformContext) throws -> Image {
            let size = PixelSize(width: image.width + 2 * width, height: image.height + 2 * width)
            try context.check(size)
            var canvas = try PixelBufferBuilder(layout: PixelLayout(size: size, format: image.pixels.format))
            try canvas.fill(color)
            try canvas.draw(image.pixels, x: width, y: width, job: context.job)
            return image.replacing(pixels: canvas.finish())
        }
    }
    manager.registry.transformers.add(Frame.self)
    let findings = await checkTransformer(Frame(width: 4), others: [Frame(width: 5), Frame(width: 4, color: .white)])
    precondition(findings.isEmpty, "\(findings)")
    let context: ImageContext = [
        .transformer(.custom("stamp-v1") { image, context in try stamp(image, context.job) })
    ]
    _ = context
}
#endif
