/// An error that states what failed, on which input, and what to do about it.
///
/// The methods of the manager throw only this type. Plugins may throw any error. An error of another type becomes the
/// ``cause`` of an `ImageError`, except a `CancellationError`.
public struct ImageError: Error, Sendable {
    private struct Facts {
        var code: Code
        var stage: Stage
        var component: String?
        var subject: String?
        var message: String
        var advice: String?
        var cause: (any Error)?
        var retryAfter: Duration?
        var attempts: [ImageError] = []
        /// The value that was set for `isTransient`. If nil, the error code determines `isTransient`.
        var verdict: Bool?
    }

    /// The facts about the failure. They are behind a pointer, because every function of the pipeline reserves room for
    /// an error.
    private var facts: Boxed<Facts>

    /// The kind of the failure. Base decisions on this code, not on the message.
    public var code: Code {
        get { facts.value.code }
        set { facts.value.code = newValue }
    }
    /// The stage that failed.
    public var stage: Stage {
        get { facts.value.stage }
        set { facts.value.stage = newValue }
    }
    /// The name of the component that failed, such as a loader, a transformer, a cache or a delegate; nil if the error
    /// names none. If a coder cannot write an image, this is the name of the format.
    public var component: String? {
        get { facts.value.component }
        set { facts.value.component = newValue }
    }
    /// The input that the failure concerns: a URL without its credentials, a key, or a path; nil if there is none.
    public var subject: String? {
        get { facts.value.subject }
        set { facts.value.subject = newValue }
    }
    /// The description of the failure, as a phrase without a period.
    public var message: String {
        get { facts.value.message }
        set { facts.value.message = newValue }
    }
    /// The advice on what to do about the failure, as a phrase without a period; nil if there is none.
    public var advice: String? {
        get { facts.value.advice }
        set { facts.value.advice = newValue }
    }
    /// The underlying error, such as one that a plugin threw; nil if there is none.
    public var cause: (any Error)? {
        get { facts.value.cause }
        set { facts.value.cause = newValue }
    }
    /// The time to wait before the next attempt, if the source states it; otherwise nil.
    public var retryAfter: Duration? {
        get { facts.value.retryAfter }
        set { facts.value.retryAfter = newValue }
    }
    /// The errors of all URLs of a request, in the order in which the URLs were tried. They are listed only if the
    /// request tried several URLs and all failed; otherwise, the array is empty.
    public internal(set) var attempts: [ImageError] {
        get { facts.value.attempts }
        set { facts.value.attempts = newValue }
    }

    /// Whether a retry a little later may succeed, for example because a server was busy or a connection broke.
    ///
    /// Default: true for the codes `connectionFailed`, `hostNotFound`, `timedOut` and `incomplete`, false for others.
    public var isTransient: Bool {
        get { facts.value.verdict ?? Self.transientCodes.contains(code) }
        set { facts.value.verdict = newValue }
    }

    // `hostNotFound` is transient, since no host name can be resolved while a machine has no network.
    private static let transientCodes: Set<Code> = [.connectionFailed, .hostNotFound, .timedOut, .incomplete]

    /// Creates an error.
    /// - Parameters:
    ///   - isTransient: Whether a retry a little later may succeed. With nil, the default, the code decides.
    ///   - retryAfter: The time to wait before the next attempt, if the source states it.
    public init(
        _ code: Code, stage: Stage, component: String? = nil, subject: String? = nil, message: String,
        advice: String? = nil, cause: (any Error)? = nil, isTransient: Bool? = nil, retryAfter: Duration? = nil
    ) {
        facts = Boxed(
            Facts(
                code: code, stage: stage, component: component, subject: subject, message: message, advice: advice,
                cause: cause, retryAfter: retryAfter, verdict: isTransient))
    }

    /// The kind of a failure. The list is open: more kinds may be added, and plugins may define their own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind, as in source code.
        public let rawValue: String
        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request has no URL that can be loaded.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// There is nothing at the URL.
        public static let notFound = Code(rawValue: "notFound")
        /// Access to the resource is not permitted.
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// The host name cannot be resolved.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// No connection was established, or it broke.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The host has no address that the ``ContextKey/addressPolicy`` of the request allows.
        public static let addressRefused = Code(rawValue: "addressRefused")
        /// The server did not prove its identity, or no secure connection could be negotiated.
        public static let untrustedConnection = Code(rawValue: "untrustedConnection")
        /// A redirect was refused: there were too many, or the target is not allowed.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The server responded with a status that the request does not accept.
        public static let badStatus = Code(rawValue: "badStatus")
        /// The server responded with a content type that the request does not accept.
        public static let badContentType = Code(rawValue: "badContentType")
        /// Bytes are missing: fewer arrived than were announced, or too few to show anything.
        public static let incomplete = Code(rawValue: "incomplete")
        /// The scheme of the URL is not among those that the request allows.
        public static let schemeRefused = Code(rawValue: "schemeRefused")
        /// The coder of the format does not accept untrusted bytes, and the ``ContextKey/admittedFormats`` of the
        /// request do not contain the format.
        public static let formatRefused = Code(rawValue: "formatRefused")
        /// No installed loader takes the URL.
        public static let noLoader = Code(rawValue: "noLoader")
        /// The loader failed.
        public static let loadFailed = Code(rawValue: "loadFailed")
        /// The image is in no cache, and the request or its delegate does not allow a load.
        public static let notCached = Code(rawValue: "notCached")
        /// No installed coder recognizes the bytes, or none writes the requested format.
        public static let unknownFormat = Code(rawValue: "unknownFormat")
        /// The bytes are damaged or incomplete, or are not an image.
        public static let badData = Code(rawValue: "badData")
        /// The image or the file exceeds a limit of the request, or its bytes would exceed the limit on the bytes of
        /// all transfers in progress (``ContextKey/maxArrivingBytes``).
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// No registered converter knows the color profile of a picture in ink colors, such as CMYK. Decodes continue
        /// without the profile; this code appears only in events.
        public static let noColorConverter = Code(rawValue: "noColorConverter")
        /// The code that made an image claimed that all pixels are opaque or gray, but some are not. The image is used
        /// without the false claim; this error code appears only in events.
        public static let falseClaim = Code(rawValue: "falseClaim")
        /// The image does not have the requested frame.
        public static let noSuchFrame = Code(rawValue: "noSuchFrame")
        /// A transformer failed, or a recipe is invalid.
        public static let transformFailed = Code(rawValue: "transformFailed")
        /// The image cannot be written in the format.
        public static let encodeFailed = Code(rawValue: "encodeFailed")
        /// An options processor or a key filter failed.
        public static let processorFailed = Code(rawValue: "processorFailed")
        /// A setting names a context key that does not exist, or its text is not a valid value of the key.
        public static let invalidSetting = Code(rawValue: "invalidSetting")
        /// A cache failed. Requests continue without the cache, and this code appears in events. Methods that work on
        /// caches directly throw an error with this code.
        public static let cacheFailed = Code(rawValue: "cacheFailed")
        /// The system has too little memory.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// The system cannot make a thread for the work.
        public static let outOfThreads = Code(rawValue: "outOfThreads")
        /// The work took longer than the request allows.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The request was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// A stage in the course of a request. The list is open: more stages may be added, and plugins may define their
    /// own.
    public struct Stage: RawRepresentable, Hashable, Sendable {
        /// The name of the stage.
        public let rawValue: String
        /// Creates a stage from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The stage that determines the context values and the cache keys of a request.
        public static let resolve = Stage(rawValue: "resolve")
        /// The stage that looks in the caches.
        public static let query = Stage(rawValue: "query")
        /// The stage that gets the bytes.
        public static let load = Stage(rawValue: "load")
        /// The stage that turns bytes into pixels.
        public static let decode = Stage(rawValue: "decode")
        /// The stage that turns pixels into other pixels.
        public static let transform = Stage(rawValue: "transform")
        /// The stage that turns pixels into bytes.
        public static let encode = Stage(rawValue: "encode")
        /// The stage that writes to the caches.
        public static let store = Stage(rawValue: "store")
    }
}

extension ImageError: CustomStringConvertible {
    /// The error as one sentence: `subject: what happened; what to do`.
    public var description: String { advice.map { "\(statement); \($0)" } ?? statement }

    /// The description of the error without the advice: the subject, if there is one, and what happened.
    private var statement: String { subject.map { "\($0): \(reason)" } ?? reason }

    /// The message, followed by the cause in parentheses if there is one.
    private var reason: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension ImageError {
    /// Returns the error of a request whose URLs have all failed: the first error, with the others in its message.
    /// - Parameter attempts: The errors of the URLs, in the order in which they were tried; at least one.
    static func all(_ attempts: [ImageError]) -> ImageError {
        var error = attempts[0]
        guard attempts.count > 1 else { return error }
        let others = attempts.dropFirst().map(\.statement).joined(separator: "; ")
        error.message = "\(error.reason); its alternatives failed too: \(others)"
        error.cause = nil
        error.isTransient = attempts.contains { $0.isTransient }
        error.attempts = attempts
        return error
    }
}

extension ImageError {
    /// Returns the error of a cancelled request.
    static func cancelled(stage: Stage) -> ImageError {
        ImageError(.cancelled, stage: stage, message: "the request was cancelled")
    }

    /// Converts any error to an ``ImageError``. An ``ImageError`` keeps its code and message. A `CancellationError`
    /// becomes `cancelled`. An error of any other type becomes the cause of an error with the given code, message and
    /// advice.
    static func wrapping(
        _ error: any Error, as code: Code, stage: Stage, component: String? = nil, message: String,
        advice: String? = nil
    ) -> ImageError {
        if var error = error as? ImageError {
            error.component = error.component ?? component
            return error
        }
        if error is CancellationError { return .cancelled(stage: stage) }
        return ImageError(
            code, stage: stage, component: component, message: message, advice: advice, cause: error)
    }

    /// Returns the error with `subject` as its subject, unless it already has one.
    func about(_ subject: String) -> ImageError {
        var error = self
        error.subject = error.subject ?? subject
        return error
    }
}
