import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Measures the library in comparison with its peers: see README.md in this directory.
@main
struct CalotypeBenchmarks {
    /// The exit codes of the process.
    private enum ExitCode {
        static let allWithinBudget: Int32 = 0
        /// A row is worse than its budget by its whole interval.
        static let worse: Int32 = 1
        /// A row could not be measured, or the budgets could not be read.
        static let failed: Int32 = 2
        /// Source: sysexits.h.
        static let wrongUsage: Int32 = 64
    }

    static func main() async {
        exit(await run(Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs the benchmarks off the main actor: a hop to it after each await would be measured with the work.
    @concurrent
    private static func run(_ words: [String]) async -> Int32 {
        if words.count == 2, words[0] == RequestsInFlight.word { return await measureAlone(into: words[1]) }
        let arguments: Arguments
        do {
            arguments = try Arguments(words)
        } catch {
            complain("\(error)\n\n\(Arguments.help)")
            return ExitCode.wrongUsage
        }
        guard !arguments.wantsHelp else {
            print(Arguments.help)
            return ExitCode.allWithinBudget
        }
        do {
            return try await measure(arguments)
        } catch {
            complain("calotype-benchmarks: \(error)")
            return ExitCode.failed
        }
    }

    /// Measures the requests in flight in this process, which was started only for that row. Writes the results to
    /// `path`.
    private static func measureAlone(into path: String) async -> Int32 {
        do {
            try await RequestsInFlight.measure(into: path)
            return ExitCode.allWithinBudget
        } catch {
            complain("calotype-benchmarks: \(error)")
            return ExitCode.failed
        }
    }

    private static func benchmarks(_ arguments: Arguments, _ peers: Peers) -> [Benchmark] {
        let server = arguments.server
        var benchmarks = MemoryHits.benchmarks + RequestsInFlight.benchmarks + HitRatios.benchmarks
        #if PNG
        benchmarks += PNGCoding.benchmarks(peers, images: arguments.images) + AnimationFrames.benchmarks(peers)
        #endif
        #if JPEG
        benchmarks += JPEGCoding.benchmarks + MemoryAfterBurst.benchmarks + FusedTransforming.benchmarks
        #endif
        benchmarks += NewerFormats.benchmarks
        #if COLOR
        benchmarks += ColorConverting.benchmarks
        #endif
        #if GIF
        benchmarks += GIFQuantizing.benchmarks(peers)
        #endif
        benchmarks += DiskEntries.benchmarks
        #if PNG
        benchmarks += DiskPictures.benchmarks
        #endif
        benchmarks += Resizing.benchmarks(peers)
        benchmarks += Transforming.benchmarks(peers)
        #if HTTP
        benchmarks += HTTPLoading.benchmarks(server, peers) + HTTPCancelling.benchmarks
        #endif
        #if JPEG && PNG
        benchmarks += SmallPictures.benchmarks + ProgressiveDecoding.benchmarks
        benchmarks += Thumbnails.benchmarks(peers, images: arguments.images) + ThumbnailQualities.benchmarks(peers)
        benchmarks += WholeProcesses.benchmarks(python: arguments.python)
        #endif
        #if HTTP && JPEG
        benchmarks += HTTPThumbnails.benchmarks(server)
        #endif
        // Last: the disk would still write their files while other rows are measured.
        let directories = LargeDirectories()
        benchmarks += DiskOpening.benchmarks(directories) + DiskTrimming.benchmarks(directories)
        return benchmarks
    }

    private static func measure(_ arguments: Arguments) async throws -> Int32 {
        let peers = Peers(python: arguments.python)
        let all = benchmarks(arguments, peers)
        let chosen = all.filter { benchmark in
            guard let filter = arguments.filter else { return true }
            return benchmark.id.contains(filter) || benchmark.title.contains(filter)
        }
        guard !chosen.isEmpty else {
            let names = all.map(\.id).joined(separator: ", ")
            throw BenchmarkError("no row contains '\(arguments.filter ?? "")'; the rows are \(names)")
        }
        let budgets = try Budget.all()
        if let orphan = chosen.first(where: { $0.budget(in: budgets) == nil }) {
            throw BenchmarkError("\(orphan.id) has no budget; add it to Benchmarks/budgets.json")
        }

        print(Table.head)
        var outcomes: [Outcome] = []
        for benchmark in chosen {
            guard let budget = benchmark.budget(in: budgets) else { continue }
            let outcome = await Outcome.measured(benchmark, budget: budget)
            outcomes.append(outcome)
            print(Table.line(outcome))
            // Without this, all output into a pipe would come at the end.
            fflush(nil)
        }
        if let versions = peers.versions { print("\n\(versions)") }
        let remarks = Table.remarks(outcomes)
        if !remarks.isEmpty { print("\n" + remarks.joined(separator: "\n")) }
        if let path = arguments.jsonPath { try Report(outcomes).write(to: path) }

        let verdicts = outcomes.map(\.verdict)
        let unmeasured: Set<Verdict> = [.failed, .peerMissing, .noServer, .notCounted]
        if verdicts.contains(where: unmeasured.contains) { return ExitCode.failed }
        return verdicts.contains(.worse) ? ExitCode.worse : ExitCode.allWithinBudget
    }

    private static func complain(_ message: String) {
        var line = message + "\n"
        line.withUTF8 { (text: UnsafeBufferPointer<UInt8>) -> Void in
            _ = write(2, text.baseAddress, text.count)
        }
    }
}
