/// The coders of a manager, asked from the newest to the oldest. All methods block, and run on the calling thread.
struct CoderChain: Sendable {
    private let coders: RegistryList<any ImageCoder>
    private let colorConverters: RegistryList<any ColorConverter>
    let time: any TimeSource

    /// Creates a chain of registered coders and color converters.
    /// - Parameter time: The clock of decode timeouts.
    init(
        coders: RegistryList<any ImageCoder>, colorConverters: RegistryList<any ColorConverter>, time: any TimeSource
    ) {
        self.coders = coders
        self.colorConverters = colorConverters
        self.time = time
    }

    /// The registered color converters, the newest first.
    var converters: [any ColorConverter] { colorConverters.elements }

    /// The formats that the registered coders read or write, those of the newest coder first.
    var formats: [ImageFormat] { coders.elements.flatMap(\.formats) }

    /// Calls `body` with the decoder of one coder after another, and returns the first result.
    ///
    /// The next coder is tried if a coder or `body` throws `badData`, `unknownFormat` or an error of unknown type. All
    /// errors except these end the search. If no coder succeeds, throws the first error. If no coder recognizes the
    /// bytes, throws `formatRefused` or `unknownFormat`. If reading the bytes has failed, throws that error, even if a
    /// coder has succeeded.
    /// - Parameter mayNotBlock: Whether the calling thread must not block. If true, coders that may block are not
    ///   asked. If one of them may recognize the bytes, throws ``AsyncGate/Excess``, so that the caller repeats the
    ///   search where blocking is allowed.
    func firstCoder<Made>(
        for bytes: ImageBytes, options: DecodeOptions, mayNotBlock: Bool = false,
        _ body: (any ImageDecoder, any ImageCoder) throws -> Made
    ) throws -> Made {
        let outcome = Result { try askCoders(for: bytes, options: options, mayNotBlock: mayNotBlock, body) }
        if let failure = bytes.failure { throw failure }
        return try outcome.get()
    }

    private func askCoders<Made>(
        for bytes: ImageBytes, options: DecodeOptions, mayNotBlock: Bool,
        _ body: (any ImageDecoder, any ImageCoder) throws -> Made
    ) throws -> Made {
        let limit = options.context[.maxInputBytes]
        guard bytes.byteCount <= limit else {
            throw ImageError.beyondLimit("has \(bytes.byteCount) bytes", limit, key: "maxInputBytes")
        }
        var refusals = RefusalList()
        var failure: ImageError?
        var failureCount = 0
        let (coders, refused) = decodingCoders(for: options.context)
        if mayNotBlock, coders.contains(where: { !$0.isPureComputation && $0.mayTake(bytes) }) {
            throw AsyncGate.Excess()
        }
        for coder in coders where !mayNotBlock || coder.isPureComputation {
            do {
                guard let decoder = try coder.decoder(for: bytes, options: options) else {
                    refusals.add(coder.name, "does not recognize it")
                    continue
                }
                return try body(decoder, coder)
            } catch let error where error.isInterlude {
                throw error
            } catch {
                let error = ImageError.wrapping(
                    error, as: .badData, stage: .decode, component: coder.name, message: "could not be decoded",
                    advice: ImageError.decodeAdvice)
                let passesOn: Set<ImageError.Code> = [.badData, .unknownFormat]
                guard passesOn.contains(error.code) else { throw error }
                refusals.add(coder.name, "failed: \(error)")
                failure = failure ?? error
                failureCount += 1
            }
        }
        // A coder that was left out because it may block may still recognize the bytes.
        if mayNotBlock, !coders.allSatisfy(\.isPureComputation) { throw AsyncGate.Excess() }
        guard var failure else {
            if let coder = refused.first(where: { $0.recognizes(bytes) }) { throw formatRefused(bytes, by: coder) }
            throw unknownFormat(bytes, refusals)
        }
        if failureCount > 1 { failure.message += "; \(refusals.summary)" }
        throw failure
    }

    /// Returns the coders of a request, in the order in which they are asked.
    func coders(for context: ResolvedContext) -> [any ImageCoder] {
        context[.imageCoder].map { [$0] } ?? coders.elements
    }

    /// Returns the coders that a request may decode with (`admitted`), and those that it may not (`refused`) because
    /// they are not safe with untrusted bytes.
    func decodingCoders(
        for context: ResolvedContext
    ) -> (admitted: [any ImageCoder], refused: [any ImageCoder]) {
        let coders = coders(for: context)
        guard let formats = context[.admittedFormats] else { return (coders, []) }
        let isAdmitted = { (coder: any ImageCoder) in
            coder.acceptsUntrustedBytes || formats.contain(formatsOf: coder)
        }
        return (coders.filter(isAdmitted), coders.filter { !isAdmitted($0) })
    }

    private func formatRefused(_ bytes: ImageBytes, by coder: any ImageCoder) -> ImageError {
        let format = coder.formats.first { format in bytes.withHead(64) { format.matches($0) } }
        let name = (format ?? coder.formats.first)?.name ?? "of its format"
        return ImageError(
            .formatRefused, stage: .decode, component: coder.name,
            message: "is \(name), whose coder \(coder.name) does not accept untrusted data",
            advice: "add '\(name)' to the context value `admittedFormats` if the source is trusted")
    }

    private func unknownFormat(_ bytes: ImageBytes, _ refusals: RefusalList) -> ImageError {
        let head = bytes.head(64)
        let installed = formats.map(\.name).joined(separator: ", ")
        let advice = "the installed formats are \(installed.isEmpty ? "none" : installed)"
        if let format = ImageFormat.sniff(head.bytes) {
            return ImageError(
                .unknownFormat, stage: .decode,
                message: "is \(format.name), which no coder decodes; \(refusals.summary)",
                advice: "install a plugin for it; \(advice)")
        }
        return ImageError(
            .unknownFormat, stage: .decode,
            message: "looks like \(head.seemingKind), not an image in a known format; \(refusals.summary)",
            advice: "check the source; \(advice)")
    }

    /// Returns the first encoder for a format; nil if no coder of the request writes it.
    func encoder(for format: ImageFormat, context: ResolvedContext) -> (any ImageEncoder)? {
        coders(for: context).lazy.compactMap { $0.encoder(for: format) }.first
    }

    /// Returns a decoder that can begin before the last byte has arrived. Returns nil if no coder has one.
    func progressiveDecoder(for head: ImageBytes, options: DecodeOptions) throws -> (any ProgressiveDecoder)? {
        for coder in decodingCoders(for: options.context).admitted {
            if let decoder = try coder.progressiveDecoder(for: head, options: options) { return decoder }
        }
        return nil
    }
}

extension Data {
    /// The apparent kind of a file that begins with these bytes, for an error message. The message does not contain the
    /// bytes, because its readers may not be allowed to see them.
    fileprivate var seemingKind: String {
        guard allSatisfy({ (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }) else { return "binary data" }
        let text = String(decoding: self, as: UTF8.self).lowercased().drop(while: \.isWhitespace)
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "an HTML page" }
        return text.hasPrefix("<") ? "XML" : "text"
    }
}

extension ImageCoder {
    /// Returns whether the coder could have a decoder for these bytes, judged only by the signatures of its formats.
    fileprivate func mayTake(_ bytes: ImageBytes) -> Bool {
        let formats = formats
        return formats.isEmpty || formats.contains(where: \.signatures.isEmpty) || recognizes(bytes)
    }
}

extension Error {
    /// Whether the error is no failure, but asks to repeat the work later or on a thread that may block.
    var isInterlude: Bool { self is AsyncGate.Deferral || self is AsyncGate.Excess }
}
