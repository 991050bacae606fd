import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs programs of the system.
enum ExternalProgram {
    /// Runs a program, which is looked up in PATH. The first argument is its name. Its standard output is discarded.
    /// Returns its exit status; -1 if it could not be started or was killed.
    static func run(_ words: [String]) -> Int32 {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        return benchmark_run(arguments)
    }

    /// Runs a program and returns its peak memory in bytes.
    ///
    /// On Linux a process starts with the peak of its parent, and this process is large. So a small process starts the
    /// program.
    static func peakBytes(_ words: [String], python: String) throws -> Int {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let answer = TemporaryDirectory.path("peak", in: directory)
        guard run([python, "-S", "-c", peakScript, answer] + words) == 0 else {
            throw BenchmarkError("\(words[0]) ended with an error")
        }
        let text = try String(contentsOf: URL(filePath: answer), encoding: .utf8)
        guard let count = Int(text) else { throw BenchmarkError("the peak memory of \(words[0]) is unknown: \(text)") }
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
