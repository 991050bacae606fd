import CalotypeStandard

/// `calotype info`: prints the properties of image files.
struct InfoCommand: Command {
    let name = "info"
    let operands = "SOURCE..."
    let summary = "Shows the properties of images without decoding their pixels."
    let discussion = ""
    let options: [Option] = [.json, .set]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        let sources = try Source.list(arguments.operands, for: self)
        let manager = console.makeManager(cache: .off)
        let context = try ImageContext(arguments, registry: manager.registry)
        manager.context = manager.context.merging(context)
        let loader = SourceBytes(manager: manager)
        let width = sources.map { min(40, $0.name.printable.count) }.max() ?? 0
        var code = ExitCode.success
        for source in sources {
            do {
                let data = try await loader.data(of: source)
                let report = InfoReport(source.name, try await manager.info(of: data), byteCount: data.count)
                console.say(try arguments.has(.json) ? JSON.line(report) : report.text(nameWidth: width))
            } catch {
                console.complain(about: source.name, error)
                code = .failure
            }
        }
        return code
    }
}
