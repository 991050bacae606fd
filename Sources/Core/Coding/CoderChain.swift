/// The coders of a manager, of which the newest is asked first.
///
/// It chooses the coder of a file, decodes with it, and finds the encoder of a format. All of its methods block. They
/// run on the thread that calls them.
struct CoderChain: Sendable {
    private let coders: RegistryList<any ImageCoder>
    private let colorConverters: RegistryList<any ColorConverter>
    let time: any TimeSource

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

    /// Returns what `body` makes with a decoder, asking the coders in turn: one that does not know the bytes is passed
    /// over, one that fails lets the next one try. A refusal by a limit and cancelling end the search, and so do bytes
    /// that cannot be read, whatever other coders made of theirs.
    /// - Parameter mayNotBlock: Throws `Excess`, before it asks anybody, where it would have to ask a coder that may
    ///   block.
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
            throw ImageError.beyondLimit("\(bytes.byteCount) bytes", limit, key: "maxInputBytes")
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
                    refusals.add(coder.name, "does not know it")
                    continue
                }
                return try body(decoder, coder)
            } catch let error where error.isInterlude {
                throw error
            } catch {
                let error = ImageError.wrapping(
                    error, as: .badData, stage: .decode, component: coder.name, message: "could not be decoded")
                let passesOn: Set<ImageError.Code> = [.badData, .unknownFormat]
                guard passesOn.contains(error.code) else { throw error }
                refusals.add(coder.name, "failed: \(error)")
                failure = failure ?? error
                failureCount += 1
            }
        }
        // A coder that was passed over may know it nevertheless.
        if mayNotBlock, !coders.allSatisfy(\.isPureComputation) { throw AsyncGate.Excess() }
        guard var failure else {
            if let coder = refused.first(where: { $0.recognizes(bytes) }) { throw formatRefused(bytes, by: coder) }
            throw unknownFormat(bytes, refusals)
        }
        if failureCount > 1 { failure.message += "; \(refusals.summary)" }
        throw failure
    }

    /// The coders of a request, in the order in which they are asked.
    func coders(for context: ResolvedContext) -> [any ImageCoder] {
        context[.imageCoder].map { [$0] } ?? coders.elements
    }

    /// Returns the coders that may decode, and those that may not since they do not accept bytes from strangers.
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
        let name = format?.name ?? "of its format"
        return ImageError(
            .formatRefused, stage: .decode, component: coder.name,
            message: "is \(name), and its coder \(coder.name) does not accept bytes from strangers",
            advice: "add '\(name)' to the context value `admittedFormats` if the source is trusted")
    }

    private func unknownFormat(_ bytes: ImageBytes, _ refusals: RefusalList) -> ImageError {
        let head = bytes.head(64)
        let installed = formats.map(\.name).joined(separator: ", ")
        let advice = "installed are \(installed.isEmpty ? "no formats" : installed)"
        if let format = ImageFormat.sniff(head.bytes) {
            return ImageError(
                .unknownFormat, stage: .decode, message: "is \(format.name), which no coder took; \(refusals.summary)",
                advice: "\(advice); install a plugin for it")
        }
        return ImageError(
            .unknownFormat, stage: .decode,
            message: "looks like \(head.seemingKind), which is no known format; \(refusals.summary)", advice: advice)
    }

    /// The first encoder for a format; nil if no coder of the request writes it.
    func encoder(for format: ImageFormat, context: ResolvedContext) -> (any ImageEncoder)? {
        coders(for: context).lazy.compactMap { $0.encoder(for: format) }.first
    }

    /// The first coder's decoder that can begin before the last byte is there; nil when none can.
    func progressiveDecoder(for head: ImageBytes, options: DecodeOptions) throws -> (any ProgressiveDecoder)? {
        for coder in decodingCoders(for: options.context).admitted {
            if let decoder = try coder.progressiveDecoder(for: head, options: options) { return decoder }
        }
        return nil
    }
}

extension Data {
    /// The apparent kind of a file that begins with these bytes and is no picture. The bytes themselves are not
    /// repeated: readers of the error may not be allowed to see them.
    fileprivate var seemingKind: String {
        guard allSatisfy({ (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }) else { return "binary data" }
        let text = String(decoding: self, as: UTF8.self).lowercased().drop(while: \.isWhitespace)
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") { return "an HTML page" }
        return text.hasPrefix("<") ? "XML" : "text"
    }
}

extension ImageCoder {
    /// Whether it may have a decoder for these bytes, as far as can be told without asking it.
    fileprivate func mayTake(_ bytes: ImageBytes) -> Bool {
        let formats = formats
        return formats.isEmpty || formats.contains(where: \.signatures.isEmpty) || recognizes(bytes)
    }
}

extension Error {
    /// Whether nothing is wrong: it is not the time for something yet, or not the place.
    var isInterlude: Bool { self is AsyncGate.Deferral || self is AsyncGate.Excess }
}
