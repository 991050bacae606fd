import CalotypeStandard

/// `calotype convert`: one picture into another file, without caches.
struct ConvertCommand: Command {
    let name = "convert"
    let operands = "IN OUT"
    let summary = "Writes a picture in another format or size, without any cache."
    let discussion = """
        IN may be - for standard input, OUT may be - for standard output. The format is that of
        OUT's extension unless --format says otherwise. OUT is written whole or not at all.
        """
    let options: [Option] = [
        .thumbnail, .transform, .format, .quality, .frame, .frameRate, .frameCount, .nativeDepth, .keepOrientation,
        .keepProfile,
        .set,
    ]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard arguments.operands.count == 2 else {
            throw UsageError("convert takes IN and OUT, not \(Quantity.count(arguments.operands.count, "name"))")
        }
        let source = try Source(arguments.operands[0])
        let path = arguments.operands[1]
        guard !path.isEmpty else { throw UsageError("OUT is empty: give a file, or - for standard output") }
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
