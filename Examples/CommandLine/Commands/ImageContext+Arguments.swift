import CalotypeStandard

extension ImageContext {
    /// Creates the context that the options of a command describe. Throws `UsageError` if a value is invalid.
    init(_ arguments: Arguments, registry: Registry) throws {
        self.init()
        if let text = arguments.value(of: .thumbnail) {
            guard let size = PixelSize(contextText: text) else {
                throw UsageError("--thumbnail takes a size such as 400x300, not '\(text)'")
            }
            set(.thumbnailPixelSize(size.width, size.height))
        }
        var steps: [any Transformer] = []
        for recipe in arguments.values(of: .transform) {
            do {
                steps += try registry.transformers(recipe: recipe)
            } catch {
                throw UsageError("--transform: \(error)")
            }
        }
        if !steps.isEmpty { set(.transformers(steps)) }
        if let frame = try arguments.number(.frame, in: 0...Int.max) { set(.frame(frame)) }
        if let rate = try arguments.number(.frameRate, in: 1...1000) { set(.frameRate(Double(rate))) }
        if let count = try arguments.number(.frameCount, in: 1...Int.max) { set(.frameCount(count)) }
        if arguments.has(.nativeDepth) { set(.nativeDepth) }
        if arguments.has(.keepOrientation) { set(.keepsOrientation) }
        if arguments.has(.keepProfile) { set(.keepsProfile) }
        if let quality = try arguments.number(.quality, in: 1...100) { set(.compressionQuality(Double(quality) / 100)) }
        // Last, so that these more specific settings win.
        for assignment in arguments.values(of: .set) {
            guard let equals = assignment.firstIndex(of: "=") else {
                // The text after the key may be a secret.
                throw UsageError("--set takes KEY=VALUE; '=' is missing after '\(assignment.prefix { $0.isLetter })'")
            }
            let name = String(assignment[..<equals])
            let text = String(assignment[assignment.index(after: equals)...])
            do {
                set(try registry.setting(named: name, text: text))
            } catch {
                throw UsageError("--set: \(error)")
            }
        }
    }
}
