extension ContextKey where Value == Int {
    /// The maximum length of a file, in bytes. Default: 256 MiB.
    public static let maxInputBytes = ContextKey(
        "maxInputBytes", default: 256 << 20, in: 1...Int.max, affects: [.transfer, .stored],
        summary: "The maximum length of a file in bytes; longer files fail as soon as their length is known.")
}

extension ContextKey where Value == Int? {
    /// The maximum number of concurrent transfers of a loader, at least 1. Default: nil, which means the loader's own
    /// limit.
    public static let maxConcurrentTransfers = ContextKey(
        "maxConcurrentTransfers",
        summary: "The maximum number of concurrent transfers of a loader, at least 1; none: the loader's own limit.")
    /// The maximum number of concurrent transfers of a loader from one host, at least 1. Default: nil, which means the
    /// loader's own limit.
    public static let maxConcurrentTransfersPerHost = ContextKey(
        "maxConcurrentTransfersPerHost",
        summary: "The maximum number of concurrent transfers from one host, at least 1; none: the loader's own limit.")
    /// The maximum memory, in bytes, that the bodies of a loader's transfers take together. The first mebibyte of each
    /// body does not count. Default: nil, which means no limit.
    public static let maxArrivingBytes = ContextKey(
        "maxArrivingBytes", affects: .transfer,
        summary: "The maximum number of bytes that a loader's transfers hold, beyond 1 MiB each; none: no limit.")
}

extension ContextKey where Value == AddressPolicy {
    /// The network addresses that a load may connect to. Default: ``AddressPolicy/any``.
    public static let addressPolicy = ContextKey(
        "addressPolicy", default: AddressPolicy.any, affects: [.transfer, .stored],
        summary: "The network addresses that a load may connect to: any, or public ones only.")
}

extension ContextKey where Value == URLSchemes? {
    /// The schemes of URLs that may be loaded. Default: nil, which allows every scheme that a loader supports.
    ///
    /// The list applies to the URL of a request, to its alternatives and placeholders, and to redirects. A request for
    /// a URL with another scheme fails with the code `schemeRefused` before any cache, file or server is asked. Cache
    /// entries of requests with another list, or without a list, are never used.
    ///
    /// Even if the list contains `file`, `FileImageLoader` loads only from the directories in `allowedDirectories`.
    public static let allowedSchemes = ContextKey(
        "allowedSchemes", affects: [.transfer, .stored],
        summary: "The schemes of URLs that may be loaded; none: every scheme that a loader supports.")
}

extension ContextKey where Value == (any ImageLoader)? {
    /// The loader to use instead of the registered ones. Default: nil, which means the registered loaders.
    ///
    /// Loaders are distinguished by their ``ImageLoader/identity``: requests that set loaders with different identities
    /// share neither loads nor cache entries.
    public static let imageLoader = ContextKey(
        "imageLoader", default: nil, affects: [.transfer, .stored],
        isKeptByImages: false, summary: "The loader to use instead of the registered ones."
    ) { $0?.identity ?? "none" }
}

extension ContextKey where Value == RetryPolicy {
    /// The number of retries of a failed load, and the delays before them. Default: ``RetryPolicy/never``.
    public static let retryPolicy = ContextKey(
        "retryPolicy", default: .never, summary: "The number of retries of a failed load, and the delays before them.",
        syntax: "the number of retries, a whole number, at least 0",
        parse: { text in Int(text).flatMap { $0 < 0 ? nil : RetryPolicy(count: $0) } }, describe: { $0.text })
}

extension ContextKey where Value == [URL] {
    /// The URLs that are tried one after another if the request's own URL has no image. Default: none.
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
    /// The names of additional URL parameters whose values may be shown in messages. Default: none, which means only
    /// the names that are known to be harmless.
    ///
    /// Errors, events, metrics, explanations and disk cache files show URLs with the names of their query parameters,
    /// but with `redacted` instead of the values. A value is shown only if it looks like a size, a number or a word,
    /// and its parameter is in this set or is known to be harmless. The parameters known to be harmless select sizes,
    /// formats, versions and the like. Examples are `w`, `h`, `width`, `height`, `size`, `dpr`, `q`, `quality`, `fm`,
    /// `format`, `fit`, `crop`, `page`, `frame`, `v` and `version`.
    ///
    /// A parameter without a value is replaced by `redacted` unless its name is in this set or is known to be harmless.
    /// Parameters in a path (`;name=value`) are treated in the same way. A user, a password and a fragment are never
    /// shown. Host and path are shown.
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
    /// The time for which a URL is not loaded again after a permanent failure. Default: nil, which means that failures
    /// are not remembered.
    public static let failedURLTimeToLive = ContextKey(
        "failedURLTimeToLive",
        summary: "The time during which a URL with a permanent failure is not loaded again; none: it always is.")
}

extension ContextKey where Value == Bool {
    /// Whether a URL is loaded even if an earlier failure of the URL is remembered. Default: false.
    public static let retryFailed = ContextKey(
        "retryFailed", summary: "Load the URL even if a failure is remembered.")
}

extension ContextKey where Value == (any ImageManagerDelegate)? {
    /// The delegate that decides which URLs may be loaded, which redirects may be followed, and which failures are
    /// remembered. Default: nil.
    public static let delegate = ContextKey(
        component: "delegate", isKeptByImages: false,
        summary: "The delegate that decides what may be loaded, and which failures are remembered.")
}

extension ContextSetting {
    /// Sets the maximum length of a file in bytes. Longer files fail as soon as their length is known. Default: 256
    /// MiB.
    public static func maxInputBytes(_ count: Int) -> ContextSetting { .set(.maxInputBytes, to: count) }
    /// Sets the maximum number of concurrent transfers of a loader, at least 1. Default: the loader's own limit.
    ///
    /// The transfer of a request begins only when fewer than `count` transfers are in progress. A loader that queues
    /// transfers uses the value of each request instead of its own limit.
    ///
    /// Set the same value for all requests of a manager. A request with a lower value waits until fewer transfers are
    /// in progress, and the requests behind it in the queue wait too. If they did not wait, they could delay that
    /// request forever.
    public static func maxConcurrentTransfers(_ count: Int) -> ContextSetting {
        .set(.maxConcurrentTransfers, to: count)
    }
    /// Sets the maximum number of concurrent transfers of a loader from one host, at least 1. Default: the loader's own
    /// limit.
    ///
    /// The same host with another scheme or port counts as another host. After a redirect, the limit applies to the
    /// host of the target. Requests to other hosts do not wait for a host that has reached the limit.
    public static func maxConcurrentTransfersPerHost(_ count: Int) -> ContextSetting {
        .set(.maxConcurrentTransfersPerHost, to: count)
    }
    /// Sets the maximum memory, in bytes, that the bodies of a loader's transfers take together. Default: no limit;
    /// ``ImageContext/server`` sets 512 MiB.
    ///
    /// The first mebibyte of each body does not count, so small images arrive even while large ones exhaust the limit.
    /// Each further byte counts from its arrival until the load returns. The bytes of requests without a limit count
    /// too.
    ///
    /// Requests do not wait for memory. A load whose body does not fit into the remaining memory throws
    /// `limitExceeded`: before the first byte if the announced length does not fit, otherwise when the bytes arrive.
    /// Unless the body alone exceeds the limit, the error is transient, so ``retryPolicy(_:)`` applies. If requests
    /// have different limits, each transfer is checked against the limit of its request. ``maxInputBytes(_:)`` limits a
    /// single file.
    /// - Parameter count: The limit in bytes. Values below 0 count as 0; with 0, no body may exceed a mebibyte.
    public static func maxArrivingBytes(_ count: Int) -> ContextSetting { .set(.maxArrivingBytes, to: count) }
    /// Sets the network addresses that a load may connect to. Default: ``AddressPolicy/any``; ``ImageContext/server``
    /// sets ``AddressPolicy/publicOnly``.
    ///
    /// The policy applies to the URL, to its redirects, and to all addresses that the name resolver returns. A load
    /// that the policy prevents from connecting throws `addressRefused`.
    public static func addressPolicy(_ policy: AddressPolicy) -> ContextSetting { .set(.addressPolicy, to: policy) }
    /// Sets the schemes of URLs that may be loaded, including redirects, alternatives and placeholders. Default: every
    /// scheme that a loader supports.
    public static func allowedSchemes(_ schemes: URLSchemes) -> ContextSetting { .set(.allowedSchemes, to: schemes) }
    /// Sets the loader to use instead of the registered ones. Cache entries from a loader with a different
    /// ``ImageLoader/identity`` are not used.
    public static func imageLoader(_ loader: any ImageLoader) -> ContextSetting { .set(.imageLoader, to: loader) }
    /// Sets the number of retries of a failed load, and the delays before them. Default: ``RetryPolicy/never``.
    public static func retryPolicy(_ policy: RetryPolicy) -> ContextSetting { .set(.retryPolicy, to: policy) }
    /// Sets the URLs that are tried one after another if the request's own URL fails for any reason. Default: none.
    ///
    /// A URL that occurs several times is tried once. Each URL is looked up in the caches, then loaded with all context
    /// values of the request. Its results are stored under its own key. If no URL has an image, the error contains the
    /// errors of all URLs (``ImageError/attempts``).
    public static func alternatives(_ urls: [URL]) -> ContextSetting { .set(.alternatives, to: urls) }
    /// Sets additional names of URL parameters whose values may be shown in messages. Default: none, which means only
    /// the names that are known to be harmless (see ``ContextKey/harmlessParameters``).
    ///
    /// The case of the names does not matter. A value is shown only if it looks like a size, a number or a word. Values
    /// of `code`, `key`, `token`, `signature` and the like are never shown. Before a request begins, only the names in
    /// the request's own context are used, not those in the manager's context. This affects, for example, the
    /// description of the request.
    public static func harmlessParameters(_ names: Set<String>) -> ContextSetting {
        .set(.harmlessParameters, to: names)
    }
    /// Sets the time for which a URL is not loaded again after a permanent failure. Default: the URL is always loaded
    /// again.
    ///
    /// Failures are permanent if, for example, the source has no data for the URL, access is denied, or the data is not
    /// an image. Transient failures, such as a broken connection or a busy server, are remembered only if a delegate
    /// decides so. Images are still taken from the caches.
    public static func failedURLTimeToLive(_ time: Duration) -> ContextSetting { .set(.failedURLTimeToLive, to: time) }
    /// Loads the URL even if an earlier failure of the URL is remembered. A successful load clears the failure.
    /// Default: off.
    public static var retryFailed: ContextSetting { .on(.retryFailed) }
    /// Sets the delegate that decides which URLs may be loaded, which redirects may be followed, and which failures are
    /// remembered.
    public static func delegate(_ delegate: any ImageManagerDelegate) -> ContextSetting {
        .set(.delegate, to: delegate)
    }
}

extension ContextDeclaration {
    /// The context keys that concern loading.
    static let loading: [ContextDeclaration] = [
        ContextKey.maxInputBytes.declaration, ContextKey.allowedSchemes.declaration,
        ContextKey.addressPolicy.declaration, ContextKey.imageLoader.declaration, ContextKey.retryPolicy.declaration,
        ContextKey.alternatives.declaration, ContextKey.failedURLTimeToLive.declaration,
        ContextKey.retryFailed.declaration, ContextKey.delegate.declaration, ContextKey.harmlessParameters.declaration,
        ContextKey.maxConcurrentTransfers.declaration, ContextKey.maxConcurrentTransfersPerHost.declaration,
        ContextKey.maxArrivingBytes.declaration,
    ]
}
