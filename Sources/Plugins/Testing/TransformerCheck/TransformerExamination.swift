import Calotype

/// A transformer under test.
struct TransformerExamination: Sendable {
    let transformer: any Transformer
    let others: [any Transformer]

    /// Returns the findings of one check.
    func findings(of check: TransformerCheck) async -> [TransformerFinding] {
        switch check {
        case .key: return await findings(check) { try $0.checkKey() }
        case .parameters: return await parameterFindings()
        case .formats: return await findings(check) { try $0.checkFormats() }
        case .joining: return await findings(check) { try $0.checkJoining(others) }
        case .storing: return await findings(check, throughManagers: { try await $0.checkStoring() })
        case .animations: return await animationFindings()
        case .limits: return await findings(check) { try $0.checkLimits() }
        case .cancelling: return await findings(check) { try $0.checkCancelling() }
        case .threadSafety: return await findings(check) { try $0.checkThreadSafety() }
        }
    }

    private var subjects: [TransformerSubject] {
        TransformerSample.all.map { TransformerSubject(transformer: transformer, sample: $0) }
    }

    /// Runs a blocking check of each picture on a thread that may block, and returns the findings.
    private func findings(
        _ check: TransformerCheck, _ body: @escaping @Sendable (TransformerSubject) throws -> Void
    ) async -> [TransformerFinding] {
        await CoderExamination.onThreadOfItsOwn {
            subjects.compactMap { subject -> TransformerFinding? in
                do {
                    try body(subject)
                    return nil
                } catch {
                    return Self.finding(check, subject.sample.name, error)
                }
            }
        }
    }

    /// Runs a check that uses a manager for each picture, and returns the findings.
    private func findings(
        _ check: TransformerCheck, throughManagers body: (TransformerSubject) async throws -> Void
    ) async -> [TransformerFinding] {
        var findings: [TransformerFinding] = []
        for subject in subjects {
            do {
                try await body(subject)
            } catch {
                findings.append(Self.finding(check, subject.sample.name, error))
            }
        }
        return findings
    }

    /// Returns the findings of an animation.
    private func animationFindings() async -> [TransformerFinding] {
        do {
            try await TransformerSubject.checkAnimations(of: transformer)
            return []
        } catch {
            return [Self.finding(.animations, "animation", error)]
        }
    }

    /// Compares the results of each other transformer, and returns a finding for each that has the same key and makes
    /// other pixels.
    private func parameterFindings() async -> [TransformerFinding] {
        await CoderExamination.onThreadOfItsOwn {
            others.enumerated().compactMap { index, other -> TransformerFinding? in
                guard other.key.utf8.elementsEqual(transformer.key.utf8) else { return nil }
                let differing = TransformerSample.all.first { sample in
                    let one = TransformerSubject(transformer: transformer, sample: sample).outcome()
                    return one != TransformerSubject(transformer: other, sample: sample).outcome()
                }
                guard let differing else { return nil }
                let breach = Breach(
                    expected: "another key than '\(transformer.key)' for other parameters",
                    but: "the keys are equal, and the results for the picture '\(differing.name)' differ",
                    advice: "make every parameter that changes pixels a part of the key")
                return Self.finding(.parameters, "other \(index)", breach)
            }
        }
    }

    private static func finding(_ check: TransformerCheck, _ sample: String, _ error: any Error) -> TransformerFinding {
        let message =
            (error as? Breach)?.description
            ?? "expected no error, but it threw '\(error)'; correct the transformer, or report the error"
        return TransformerFinding(check: check, sample: sample, message: message)
    }
}
