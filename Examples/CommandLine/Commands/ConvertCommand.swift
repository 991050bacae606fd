import CalotypeStandard

/// `calotype convert`: converts an image to another format or size, without a cache.
struct ConvertCommand: Command {
    let name = "convert"
    let operands = "IN OUT"
    let summary = "Converts an image to another format or size, without a cache."
    let discussion = """
        IN is a path, a URL, or - for standard input. OUT is a path, or - for standard output.
        The extension of OUT determines the format, unless --format is given. A file is written
        completely or not at all.
        """
    let options: [Option] = [
        .thumbnail, .transform, .format, .quality, .frame, .frameRate, .frameCount, .nativeDepth, .keepOrientation,
        .keepProfile,
        .set,
    ]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard arguments.operands.count == 2 else {
            throw UsageError("convert takes IN and OUT, not \(Quantity.count(arguments.operands.count, "operand"))")
        }
        let source = try Source(arguments.operands[0])
        let path = arguments.operands[1]
        guard !path.isEmpty else { throw UsageError("OUT is empty; use a path, or - for standard output") }
        let isStandardOutput = path == "-"
        let manager = console.makeManager(cache: .off)
        let context = try ImageContext(arguments, registry: manager.registry)
        let formats = try FormatChoice(
            named: arguments.value(of: .format), path: isStandardOutput ? nil : path, writable: manager.writableFormats)
        do {
            let image = try await Fetcher(manager: manager, context: context).image(of: source).image
            let format = formats.format(for: image.attributes.format)
            let data = try await manager.encode(image, as: format, context: context)
            if isStandardOutput {
                console.send(data)
            } else {
                try await Lane.files.run { try OutputFile.save(data, to: path) }
            }
            return .success
        } catch {
            console.complain(about: source.name, error)
            return .failure
        }
    }
}
