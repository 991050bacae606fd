import CalotypeStandard
import CalotypeTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Damages files at random and decodes them, until a coder traps or violates its contract.
///
/// Each input has its own seed, and is written to a file named after it before it is tried. So an input that ends the
/// process can be found there.
@main
struct Fuzzer {
    /// The timeout in seconds, after which an input counts as endless.
    private static let patience: UInt32 = 120

    static func main() async {
        do {
            let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
            if let count = options.profiles {
                try tryProfiles(count, options)
            } else if options.files.isEmpty {
                try await fuzz(options)
            } else {
                try await replay(options)
            }
        } catch let error as UsageError {
            complain("\(error.message)\n\n\(FuzzOptions.usage)")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func fuzz(_ options: FuzzOptions) async throws {
        let coders = ImageManager(plugins: [.standard], context: [.off(.imageCache)]).registry.coders.elements
        let mutator = Mutator(try Corpus(directories: options.corpora, coders: coders))
        let trial = DamageTrial(coders)
        #if PNG && DEFLATE
        let comparison = PNGComparison()
        #endif
        let directory = URL(filePath: options.keep, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let firstSeed = options.seed ?? 1
        for round in 0..<options.rounds {
            let seed = firstSeed &+ UInt64(round)
            var random = SplitMix64(seed: seed)
            let input = mutator.input(&random)
            let way = DamageTrial.Way.allCases.randomElement(using: &random) ?? .pipeline
            let file = directory.appending(path: "\(seed).\(input.fileExtension)")
            try input.data.write(to: file)
            try await run(trial, input.data, way, seed: seed)
            #if PNG && DEFLATE
            if ImageFormat.png.matches(input.data.bytes) { try await comparison.run(input.data, seed: seed) }
            #endif
            try FileManager.default.removeItem(at: file)
        }
        print("\(options.rounds) inputs from seed \(firstSeed): each is a picture or an error")
    }

    /// Tries files unmodified, with the options of the given seed, of the seed in the file's name, and of the first few
    /// seeds.
    private static func replay(_ options: FuzzOptions) async throws {
        let coders = ImageManager(plugins: [.standard], context: [.off(.imageCache)]).registry.coders.elements
        let trial = DamageTrial(coders)
        #if PNG && DEFLATE
        let comparison = PNGComparison()
        #endif
        for file in options.files {
            let data = try Data(contentsOf: URL(filePath: file))
            for seed in [options.seed].compactMap(\.self) + DamageTrial.seeds(forFile: file, count: 32) {
                for way in DamageTrial.Way.allCases { try await run(trial, data, way, seed: seed) }
                #if PNG && DEFLATE
                if ImageFormat.png.matches(data.bytes) { try await comparison.run(data, seed: seed) }
                #endif
            }
            print("\(file): a picture or an error with all options")
        }
    }

    private static func tryProfiles(_ count: Int, _ options: FuzzOptions) throws {
        let registry = ImageManager(plugins: [.standard], context: [.off(.imageCache)]).registry
        guard let converter = registry.colorConverters.elements.first else {
            throw UsageError(message: "this build has no color management; build it with the trait COLOR")
        }
        let trial = ProfileTrial(converter: converter)
        let firstSeed = options.seed ?? 1
        var findings: [String] = []
        for round in 0..<count {
            alarm(patience)
            findings += trial.findings(seed: firstSeed &+ UInt64(round), measures: options.isMeasured)
        }
        guard findings.isEmpty else {
            findings.forEach(complain)
            exit(1)
        }
        print("\(count) hostile profiles from seed \(firstSeed): each is converted or refused, within the limits")
    }

    private static func run(_ trial: DamageTrial, _ data: Data, _ way: DamageTrial.Way, seed: UInt64) async throws {
        alarm(patience)
        do throws(Breach) {
            try await trial.run(data, seed: seed, ways: [way])
        } catch {
            throw FuzzFinding(seed: seed, way: way, breach: error)
        }
    }

    private static func complain(_ text: String) {
        let line = Array("calotype-fuzz: \(text)\n".utf8)
        // If even this cannot be written, nothing can be done.
        _ = line.withUnsafeBytes { bytes in write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}

/// A finding for an input.
struct FuzzFinding: Error, CustomStringConvertible {
    let seed: UInt64
    let way: DamageTrial.Way
    let breach: Breach

    var description: String { "seed \(seed), read in the way `\(way.rawValue)`: \(breach)" }
}
