/// An error that says what failed, on which input, and what to do about it.
///
/// The one error that the manager throws. Plugins throw what they like; it becomes the ``cause``.
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
        /// The value that was set for `isTransient`, which overrides that of the code.
        var verdict: Bool?
    }

    /// Behind a pointer: every function on the way of a request has room for an error.
    private var facts: Boxed<Facts>

    /// The kind of failure, which is the part to switch over.
    public var code: Code {
        get { facts.value.code }
        set { facts.value.code = newValue }
    }
    /// The step of the way that failed.
    public var stage: Stage {
        get { facts.value.stage }
        set { facts.value.stage = newValue }
    }
    /// The loader, coder, transformer or cache that failed; nil when it was none of them.
    public var component: String? {
        get { facts.value.component }
        set { facts.value.component = newValue }
    }
    /// The URL, without credentials, or the key or path that the failure is about.
    public var subject: String? {
        get { facts.value.subject }
        set { facts.value.subject = newValue }
    }
    /// The failure, in half a sentence without a period.
    public var message: String {
        get { facts.value.message }
        set { facts.value.message = newValue }
    }
    /// The advice for the reader, in half a sentence; nil if there is none.
    public var advice: String? {
        get { facts.value.advice }
        set { facts.value.advice = newValue }
    }
    /// The error that a plugin or the system threw.
    public var cause: (any Error)? {
        get { facts.value.cause }
        set { facts.value.cause = newValue }
    }
    /// The time to wait before asking again, if the source says it; otherwise nil.
    public var retryAfter: Duration? {
        get { facts.value.retryAfter }
        set { facts.value.retryAfter = newValue }
    }
    /// The error of each URL, in the order in which they were loaded, if a request had alternatives and none of them
    /// had an image; otherwise empty.
    public internal(set) var attempts: [ImageError] {
        get { facts.value.attempts }
        set { facts.value.attempts = newValue }
    }

    /// Whether the same may succeed when it is tried again a little later, as when a server is busy or a line breaks.
    ///
    /// Unless it was set, the codes `connectionFailed`, `hostNotFound`, `timedOut` and `incomplete` are of that
    /// kind.
    public var isTransient: Bool {
        get { facts.value.verdict ?? Self.transientCodes.contains(code) }
        set { facts.value.verdict = newValue }
    }

    // A name that cannot be looked up is what a machine without a network sees of all hosts.
    private static let transientCodes: Set<Code> = [.connectionFailed, .hostNotFound, .timedOut, .incomplete]

    /// An error.
    /// - Parameters:
    ///   - isTransient: Whether the same may succeed a little later; nil, the default, is what the code says.
    ///   - retryAfter: How long to wait before asking again, where the source says so.
    public init(
        _ code: Code, stage: Stage, component: String? = nil, subject: String? = nil, message: String,
        advice: String? = nil, cause: (any Error)? = nil, isTransient: Bool? = nil, retryAfter: Duration? = nil
    ) {
        facts = Boxed(
            Facts(
                code: code, stage: stage, component: component, subject: subject, message: message, advice: advice,
                cause: cause, retryAfter: retryAfter, verdict: isTransient))
    }

    /// A kind of failure. Open: more kinds may come, and plugins may bring their own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind, as in source.
        public let rawValue: String
        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request names no URL that could be loaded.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// There is nothing at that URL.
        public static let notFound = Code(rawValue: "notFound")
        /// The resource may not be read.
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// The host name cannot be resolved.
        public static let hostNotFound = Code(rawValue: "hostNotFound")
        /// No connection came about, or it broke.
        public static let connectionFailed = Code(rawValue: "connectionFailed")
        /// The host has no address that the request's address policy allows.
        public static let addressRefused = Code(rawValue: "addressRefused")
        /// The server could not prove its identity, or no secure connection could be agreed on.
        public static let untrustedConnection = Code(rawValue: "untrustedConnection")
        /// A redirect was refused: there were too many, or it led to a place that is not allowed.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The server answered with a status that the request does not accept.
        public static let badStatus = Code(rawValue: "badStatus")
        /// The server answered with a kind of content that the request does not accept.
        public static let badContentType = Code(rawValue: "badContentType")
        /// Bytes are missing: fewer came than were announced, or than it takes to show anything.
        public static let incomplete = Code(rawValue: "incomplete")
        /// The scheme of the URL is not among those that the request allows.
        public static let schemeRefused = Code(rawValue: "schemeRefused")
        /// The coder of the format does not accept bytes from strangers, and the request does not admit the format.
        public static let formatRefused = Code(rawValue: "formatRefused")
        /// No installed loader takes the URL.
        public static let noLoader = Code(rawValue: "noLoader")
        /// The loader failed.
        public static let loadFailed = Code(rawValue: "loadFailed")
        /// The image is in no cache, and loading was not allowed: by the request, or by the manager's delegate.
        public static let notCached = Code(rawValue: "notCached")
        /// No installed coder knows the bytes, or can write the format.
        public static let unknownFormat = Code(rawValue: "unknownFormat")
        /// The bytes are damaged, incomplete or no image.
        public static let badData = Code(rawValue: "badData")
        /// The image or the file is larger than a limit of the request, or has no room beside others that arrive.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// No registered converter knows the colour profile of a picture in inks. Decodes go on without the profile:
        /// this code is seen in events.
        public static let noColorConverter = Code(rawValue: "noColorConverter")
        /// Pixels are not opaque or gray although the code that made them claimed it. The pixels are used and the claim
        /// is dropped; this code appears in events only.
        public static let falseClaim = Code(rawValue: "falseClaim")
        /// The image has no such frame.
        public static let noSuchFrame = Code(rawValue: "noSuchFrame")
        /// A transformer failed, or a recipe cannot be understood.
        public static let transformFailed = Code(rawValue: "transformFailed")
        /// The image cannot be written in that format.
        public static let encodeFailed = Code(rawValue: "encodeFailed")
        /// An options processor or a key filter failed.
        public static let processorFailed = Code(rawValue: "processorFailed")
        /// No key has the name of a setting, or its text is no value of the key.
        public static let invalidSetting = Code(rawValue: "invalidSetting")
        /// A cache failed. Loads go on without it: this code is seen in events and from direct calls.
        public static let cacheFailed = Code(rawValue: "cacheFailed")
        /// Memory could not be had.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// The system made no thread for the work.
        public static let outOfThreads = Code(rawValue: "outOfThreads")
        /// The work took longer than the request allows.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The request was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// A step of a request's way. Open, like ``Code``.
    public struct Stage: RawRepresentable, Hashable, Sendable {
        /// The name of the step.
        public let rawValue: String
        /// A step by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Finding the values in force.
        public static let resolve = Stage(rawValue: "resolve")
        /// Asking the caches.
        public static let query = Stage(rawValue: "query")
        /// Getting the bytes.
        public static let load = Stage(rawValue: "load")
        /// Making pixels of bytes.
        public static let decode = Stage(rawValue: "decode")
        /// Making other pixels of pixels.
        public static let transform = Stage(rawValue: "transform")
        /// Making bytes of pixels.
        public static let encode = Stage(rawValue: "encode")
        /// Writing to the caches.
        public static let store = Stage(rawValue: "store")
    }
}

extension ImageError: CustomStringConvertible {
    /// One sentence: `subject: what happened; what to do`.
    public var description: String { advice.map { "\(statement); \($0)" } ?? statement }

    /// The failure with its subject.
    private var statement: String { subject.map { "\($0): \(reason)" } ?? reason }

    /// The failure with its cause.
    private var reason: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension ImageError {
    /// The error of a request of which no URL had an image: that of the first, which names the others with theirs.
    /// - Parameter attempts: What each of them failed with; at least one.
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
    /// The error of a cancelled request.
    static func cancelled(stage: Stage) -> ImageError {
        ImageError(.cancelled, stage: stage, message: "cancelled")
    }

    /// Any error as one of ours: as it is when it is one already, else wrapped as the code that is given.
    static func wrapping(
        _ error: any Error, as code: Code, stage: Stage, component: String? = nil, message: String
    ) -> ImageError {
        if var error = error as? ImageError {
            error.component = error.component ?? component
            return error
        }
        if error is CancellationError { return .cancelled(stage: stage) }
        return ImageError(code, stage: stage, component: component, message: message, cause: error)
    }

    /// The same error about `subject`, unless it names its own.
    func about(_ subject: String) -> ImageError {
        var error = self
        error.subject = error.subject ?? subject
        return error
    }
}
