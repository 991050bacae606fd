import BenchmarkFloors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Programs of the system.
enum ExternalProgram {
    /// Runs one, which is looked for in PATH, with its arguments, the name first. What it prints is dropped, errors
    /// excepted. Its exit status; -1 when it cannot be started or was killed.
    static func run(_ words: [String]) -> Int32 {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        return benchmark_run(arguments)
    }
}
