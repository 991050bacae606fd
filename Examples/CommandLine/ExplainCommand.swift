import CalotypeStandard

/// `calotype explain`: why a load would do what it would do.
struct ExplainCommand: Command {
    let name = "explain"
    let operands = "SOURCE"
    let summary = "Shows each value in force for a load, where it comes from and what follows."
    let discussion = """
        Takes the options of 'load', so that a command can be explained by changing one word;
        those about the file to write are no part of the request. Tells also what the cache
        has of the image and of its original, and who would load and decode it. Loads nothing.
        """
    let options = Option.loading

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard arguments.operands.count == 1 else {
            throw UsageError("explain takes one SOURCE, not \(arguments.operands.count)")
        }
        let source = try Source(arguments.operands[0])
        guard let request = source.request else {
            throw UsageError("standard input has no address: explain takes a path or a URL")
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
