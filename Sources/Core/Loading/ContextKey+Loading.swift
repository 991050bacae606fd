extension ContextKey where Value == Int {
    /// The longest file in bytes.
    public static let maxInputBytes = ContextKey(
        "maxInputBytes", default: 256 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum length of a file in bytes; longer files fail as soon as their length is known.")
}

extension ContextKey where Value == Int? {
    /// The number of a loader's transfers below which the request's begins.
    public static let maxConcurrentTransfers = ContextKey(
        "maxConcurrentTransfers",
        summary: "The maximum number of concurrent transfers of a loader, at least 1; none: the loader's own limit.")
    /// The number of a loader's transfers from the same host below which the request's begins.
    public static let maxConcurrentTransfersPerHost = ContextKey(
        "maxConcurrentTransfersPerHost",
        summary: "The maximum number of concurrent transfers from one host, at least 1; none: the loader's own limit.")
    /// The memory, in bytes, that the bodies of a loader's transfers may take together; nil, the default, for no limit.
    ///
    /// The first mebibyte of each body does not count.
    public static let maxArrivingBytes = ContextKey(
        "maxArrivingBytes", affects: .transfer,
        summary: "The maximum number of bytes that a loader's transfers hold, beyond 1 MiB each; none: no limit.")
}

extension ContextKey where Value == AddressPolicy {
    /// The network addresses that may be connected to.
    public static let addressPolicy = ContextKey(
        "addressPolicy", default: AddressPolicy.any, affects: [.transfer, .stored],
        summary: "The network addresses that a load may connect to: any, or public ones only.")
}

extension ContextKey where Value == URLSchemes? {
    /// The schemes of URLs that may be loaded; nil, the default, allows every scheme that a loader takes.
    ///
    /// Holds for the URL of a request, for its alternatives and placeholders, and for redirects. A request with another
    /// scheme ends with the code `schemeRefused` before any cache, file or server is asked. What was kept of a request
    /// with another list, or with none, is never the answer.
    ///
    /// Where the list has `file`, `FileImageLoader` loads nothing unless `allowedDirectories` says from where.
    public static let allowedSchemes = ContextKey(
        "allowedSchemes", affects: [.transfer, .stored],
        summary: "The schemes of URLs that may be loaded; none: every scheme that a loader takes.")
}

extension ContextKey where Value == (any ImageLoader)? {
    /// The loader to use instead of the registered ones.
    ///
    /// Loaders are told apart by their ``ImageLoader/identity``: requests for two of them share neither loads nor cache
    /// entries.
    public static let imageLoader = ContextKey(
        "imageLoader", default: nil, affects: [.transfer, .stored],
        isKeptByImages: false, summary: "The loader to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextKey where Value == RetryPolicy {
    /// The policy for retries of a failed load.
    public static let retryPolicy = ContextKey(
        "retryPolicy", default: .never, summary: "The number of retries of a failed load, and the delays before them.",
        syntax: "how often, a whole number, at least 0",
        parse: { text in Int(text).flatMap { $0 < 0 ? nil : RetryPolicy(count: $0) } }, describe: { $0.text })
}

extension ContextKey where Value == [URL] {
    /// The URLs that are loaded if the request's own URL has no image.
    public static let alternatives = ContextKey(
        "alternatives", default: [],
        summary: "The URLs that are loaded, one after another, if the request's own URL has no image.",
        syntax: "URLs with spaces between them",
        parse: { text in
            let words = text.split(separator: " ")
            let urls = words.compactMap { URL(requestText: String($0)) }
            return words.isEmpty || urls.count < words.count ? nil : urls
        }, describe: { $0.isEmpty ? "none" : $0.map(\.redacted).joined(separator: " ") })
}

extension ContextKey where Value == Set<String> {
    /// The parameters of URLs whose values are shown, beside those that are known to be harmless.
    ///
    /// Errors, events, metrics, explanations and what a disk cache writes name the parameters of a query. Their values
    /// are replaced by `redacted`, except those of sizes, formats and versions (`w`, `h`, `width`, `height`, `size`,
    /// `dpr`, `q`, `quality`, `fm`, `format`, `fit`, `crop`, `page`, `frame`, `v`, `version` and the like) where they
    /// look it. Parameters in a path (`;name=value`) are treated alike; a user, a password and a fragment are never
    /// shown. Host and path are.
    public static let harmlessParameters = ContextKey(
        "harmlessParameters", default: [],
        summary: "The URL parameters whose values may be shown, in addition to sizes, formats and the like.",
        syntax: "names with spaces between them",
        parse: { text in
            let names = Set(text.split(separator: " ").map(String.init))
            return names.isEmpty ? nil : names
        }, describe: { $0.isEmpty ? "none" : $0.sorted().joined(separator: " ") })
}

extension ContextKey where Value == Duration? {
    /// The time for which a failure is remembered.
    public static let failedURLTimeToLive = ContextKey(
        "failedURLTimeToLive",
        summary: "The time during which a URL with a permanent failure is not loaded again; none: it always is.")
}

extension ContextKey where Value == Bool {
    /// Whether a URL is asked that has failed.
    public static let retryFailed = ContextKey(
        "retryFailed", summary: "Load the URL even if a failure is remembered.")
}

extension ContextKey where Value == (any ImageManagerDelegate)? {
    /// The delegate that decides what may be loaded and which failures are remembered.
    public static let delegate = ContextKey(
        component: "delegate",
        summary: "The delegate that decides what may be loaded, and which failures are remembered.")
}

extension ContextSetting {
    /// Refuse files longer than this, as soon as it shows. Default: 256 MiB.
    public static func maxInputBytes(_ count: Int) -> ContextSetting { .set(.maxInputBytes, to: count) }
    /// The number of transfers that a loader may have under way at once. Default: as the loader is set up.
    ///
    /// A request's transfer begins when fewer than `count` are under way, which is at least 1. Loaders that keep a
    /// queue of their own read it for each request, in place of what they are set up with. Set the same for all
    /// requests of a manager: one with a low limit waits until so few are left, and the requests behind it wait with
    /// it, so that it gets its turn.
    public static func maxConcurrentTransfers(_ count: Int) -> ContextSetting {
        .set(.maxConcurrentTransfers, to: count)
    }
    /// The number of transfers from the same host that a loader may have under way at once, at least 1. Default: as the
    /// loader is set up.
    ///
    /// The host is the one that the request at hand goes to, also after redirects. Requests for other hosts do not wait
    /// for one that is full.
    public static func maxConcurrentTransfersPerHost(_ count: Int) -> ContextSetting {
        .set(.maxConcurrentTransfersPerHost, to: count)
    }
    /// Limits the memory, in bytes, that the bodies of a loader's transfers take together. Default: no limit;
    /// ``ImageContext/server`` sets 512 MiB.
    ///
    /// The first mebibyte of each body does not count, so small images arrive while large ones take all that is
    /// allowed. Each further byte counts from its arrival until the load returns, also for requests without a limit.
    ///
    /// Nothing waits for room. A request whose body has none throws `limitExceeded`: before the first byte if the
    /// announced length exceeds the room, otherwise when the bytes do. The error is transient, so ``retryPolicy(_:)``
    /// applies, unless the body alone exceeds the limit. Loaders that keep a queue of their own read the value for each
    /// request. ``maxInputBytes(_:)`` limits a single file.
    /// - Parameter count: The limit. Values below 0 are 0: no body may exceed a mebibyte.
    public static func maxArrivingBytes(_ count: Int) -> ContextSetting { .set(.maxArrivingBytes, to: count) }
    /// Connects to addresses that the policy allows and to no others, whatever the URL, its redirects and the resolver
    /// say; a load that would throws `addressRefused`. Default: ``AddressPolicy/any``; ``ImageContext/server`` sets
    /// ``AddressPolicy/publicOnly``.
    public static func addressPolicy(_ policy: AddressPolicy) -> ContextSetting { .set(.addressPolicy, to: policy) }
    /// Load only URLs with these schemes, redirects, alternatives and placeholders included. Default: every scheme that
    /// a loader takes.
    public static func allowedSchemes(_ schemes: URLSchemes) -> ContextSetting { .set(.allowedSchemes, to: schemes) }
    /// The loader to use instead of the registered ones. What loaders of another ``ImageLoader/identity`` have brought
    /// is no answer.
    public static func imageLoader(_ loader: any ImageLoader) -> ContextSetting { .set(.imageLoader, to: loader) }
    /// Sets the number of retries of a failed load, and the times between them. Default: ``RetryPolicy/never``.
    public static func retryPolicy(_ policy: RetryPolicy) -> ContextSetting { .set(.retryPolicy, to: policy) }
    /// URLs that are asked, one after another, when the request's own has no image, whatever the reason; a URL that is
    /// there twice is asked once. Each is asked with all values of the request, of caches and then of loaders, and what
    /// it brings is kept under its own key. When none has an image, the error has those of all
    /// (``ImageError/attempts``). Default: none.
    public static func alternatives(_ urls: [URL]) -> ContextSetting { .set(.alternatives, to: urls) }
    /// Shows the values of these parameters of URLs in messages, whatever the case of their letters, where they look
    /// like a size, a number or a word; not those of `code`, `key`, `token`, `signature` and the like, which are never
    /// shown. What is told of a request before it is begun, such as its description, goes by the request's own context.
    /// Default: none beside those that ``ContextKey/harmlessParameters`` knows.
    public static func harmlessParameters(_ names: Set<String>) -> ContextSetting {
        .set(.harmlessParameters, to: names)
    }
    /// Sets the time for which a URL is not loaded again after a permanent failure: it has nothing, it may not be read,
    /// or its bytes are no image. Transient failures, such as a broken connection or a busy server, are not remembered.
    /// Caches still answer. Default: the URL is always loaded again.
    public static func failedURLTimeToLive(_ time: Duration) -> ContextSetting { .set(.failedURLTimeToLive, to: time) }
    /// Ask the URL even though it is remembered to have failed; when that succeeds it is forgotten. Default: off.
    public static var retryFailed: ContextSetting { .on(.retryFailed) }
    /// Sets the delegate that decides what may be loaded and which failures are remembered.
    public static func delegate(_ delegate: any ImageManagerDelegate) -> ContextSetting {
        .set(.delegate, to: delegate)
    }
}

extension ContextDeclaration {
    /// The keys of loading.
    static let loading: [ContextDeclaration] = [
        ContextKey.maxInputBytes.declaration, ContextKey.allowedSchemes.declaration,
        ContextKey.addressPolicy.declaration, ContextKey.imageLoader.declaration, ContextKey.retryPolicy.declaration,
        ContextKey.alternatives.declaration, ContextKey.failedURLTimeToLive.declaration,
        ContextKey.retryFailed.declaration, ContextKey.delegate.declaration, ContextKey.harmlessParameters.declaration,
        ContextKey.maxConcurrentTransfers.declaration, ContextKey.maxConcurrentTransfersPerHost.declaration,
        ContextKey.maxArrivingBytes.declaration,
    ]
}
