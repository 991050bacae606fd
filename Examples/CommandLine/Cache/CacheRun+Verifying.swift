import CalotypeStandard

extension CacheRun {
    /// Verifies every entry, repairs what can be repaired and prints the problems. The exit code is 1 if a problem was
    /// not repaired.
    func verify() async throws -> ExitCode {
        let verification = try await WorkProgress.showing("verifying") { [cache] progress in
            try cache.verify { progress($0.fraction) }
        }
        let report = CacheVerificationReport(verification)
        try say(report)
        guard report.unmendedCount > 0 else { return .success }
        let problems = Quantity.count(report.unmendedCount, "problem")
        console.complain(
            "\(directory): \(problems) could not be repaired; check the permissions of the directory, and the disk")
        return .failure
    }
}
