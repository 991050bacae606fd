import BenchmarkFloors
import CalotypeStandard

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

    /// Runs one like that; the most bytes of memory that it had at once.
    ///
    /// A process begins with the peak of the one that starts it, on Linux, and this one is large: so a small one stands
    /// between them.
    static func peakBytes(_ words: [String], python: String) throws -> Int {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let answer = TemporaryDirectory.path("peak", in: directory)
        guard run([python, "-S", "-c", peakScript, answer] + words) == 0 else {
            throw BenchmarkError("\(words[0]) failed")
        }
        let text = try String(contentsOf: URL(filePath: answer), encoding: .utf8)
        guard let count = Int(text) else { throw BenchmarkError("\(words[0]) has an unknown peak: \(text)") }
        return count
    }

    private static let peakScript = """
        import os, subprocess, sys
        child = subprocess.Popen(sys.argv[2:], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        unit = 1 if sys.platform == "darwin" else 1024
        open(sys.argv[1], "w").write(str(usage.ru_maxrss * unit))
        sys.exit(os.waitstatus_to_exitcode(status))
        """
}
