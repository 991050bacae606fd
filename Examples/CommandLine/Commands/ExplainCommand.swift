import CalotypeStandard

/// `calotype explain`: explains the decisions of a load.
struct ExplainCommand: Command {
    let name = "explain"
    let operands = "SOURCE"
    let summary = "Shows the effective settings of a load and where they come from."
    let discussion = """
        Accepts the options of 'load': replace 'load' by 'explain' to explain a command. Options
        that concern only the output file are ignored. Also shows what the cache has of the
        image and of its original, and which loader and coders apply. Loads nothing.
        """
    let options = Option.loading

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard arguments.operands.count == 1 else {
            throw UsageError("explain takes one SOURCE, not \(arguments.operands.count)")
        }
        let source = try Source(arguments.operands[0])
        guard let request = source.request else {
            throw UsageError("explain takes a path or a URL, not standard input")
        }
        let manager = console.makeManager(cache: CacheChoice(arguments))
        let context = try ImageContext(arguments, registry: manager.registry)
        do {
            let explanation = try await manager.explain(request.with(context))
            console.say(try arguments.has(.json) ? JSON.line(ExplanationReport(explanation)) : explanation.description)
            return .success
        } catch {
            console.complain(about: source.name, error)
            return .failure
        }
    }
}
