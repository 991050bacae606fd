import CalotypeStandard

extension CacheRun {
    /// Checks every entry, mends what can be mended and tells what was wrong. That is a failure only where something
    /// still is.
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
