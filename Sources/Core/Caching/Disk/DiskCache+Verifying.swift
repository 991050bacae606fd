import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DiskCache {
    /// Reads every entry, and removes what is damaged, lies in the wrong place or was left behind by processes that
    /// were killed; finds every tag again; counts anew.
    ///
    /// Removes also what stands in the place of a directory or an entry and is none: a link, and a directory with
    /// everything in it; and directories of entries that another user made while everybody could. A time stamp that
    /// lies in the future is set to the present, and an entry goes whose own date was set by a clock ahead of this one.
    /// Empty directories go without a word.
    ///
    /// The cache can be used meanwhile, and an entry that was read is no younger for it. What cannot be read or removed
    /// is a finding that is not mended.
    /// - Parameter progress: Told what was found so far, on this thread, after each of 256 parts of the directory; to
    ///   stop there, let it throw.
    /// - Returns: What was found.
    public func verify(progress: (DiskVerification) throws -> Void = { _ in }) throws -> DiskVerification {
        entries.reset()
        try checkDirectory(for: .store)
        // Taking stock removes leftovers, too.
        let formerLeftoverCount = accounts.withLock { $0.leftoverCount }
        writeLedger()
        var verification = DiskVerification()
        _ = removeLeftovers(at: time.wallTime())
        let present = presentShards()
        if let error = present.failure { verification.note(error.path, "it cannot be listed: \(error)", false) }
        for obstacle in present.obstacles { removeFound(obstacle, &verification) }
        for shard in 0..<DiskLedger.shardCount {
            let survey = trimmingQueue.sync { look(at: shard, of: present) }
            // What keeps the directory from being listed may keep all 256 in it from that, too: once said is enough.
            if present.failure == nil, let error = survey.failure {
                verification.note(error.path, "it cannot be listed: \(error)", false)
            }
            let formerCount = verification.findings.count
            for obstacle in survey.obstacles { removeFound(obstacle, &verification) }
            for entry in survey.entries { verify(entry, &verification) }
            if let error = removeLeftovers(in: survey, at: time.wallTime()) {
                verification.note(error.path, "it cannot be removed: \(error)", false)
            }
            if let error = removeStaleMarkers(in: survey) {
                verification.note(error.path, "it cannot be examined: \(error)", false)
            }
            let emptied = directoriesEmptied(by: verification.findings.dropFirst(formerCount), in: survey)
            if let error = removeEmptyDirectories(survey, emptied: emptied) {
                verification.note(error.path, "it cannot be removed: \(error)", false)
            }
            verification.leftoverCount = accounts.withLock { $0.leftoverCount } - formerLeftoverCount
            verification.fraction = Double(shard + 1) / Double(DiskLedger.shardCount)
            try progress(verification)
        }
        writeLedger()
        return verification
    }

    /// The directories of a shard from which what was found, or left behind, has been removed.
    private func directoriesEmptied(
        by findings: ArraySlice<DiskVerification.Finding>, in survey: DiskSurvey
    ) -> Set<String> {
        var directories = Set(findings.filter { $0.isMended }.map { Self.parent(of: $0.path) })
        directories.formUnion(survey.temporaries.map(\.directory))
        if !directories.isEmpty { directories.insert("\(root)/\(DiskEntryName.shardName(survey.shard))") }
        return directories
    }

    private func verify(_ entry: DiskSurvey.Entry, _ verification: inout DiskVerification) {
        let path = entry.path
        do {
            let name = String(path.dropFirst(root.count + 1))
            let file = try files.contents(of: name, in: entries, byteLimit: configuration.byteLimit).data
            let parsed = try DiskEntryFormat.parse(file, transform: transform)
            guard DiskEntryName.path(ofDigest: parsed.digest) == name else { throw DiskEntryFormat.Defect.key }
            if parsed.dates.areAhead(at: time.wallTime()) {
                return removeDamaged(entry, "its date was set by a clock that was ahead", &verification)
            }
            verification.entryCount += 1
            verification.byteCount += file.count
            mendStamp(of: entry, &verification)
            mendTags(parsed.tagDigests, of: entry, &verification)
        } catch DiskEntryFormat.Defect.version, DiskEntryFormat.Defect.transform {
            verification.foreignCount += 1
            mendStamp(of: entry, &verification)
        } catch let error as FileSystemError {
            switch error.code {
            case ENOENT: break
            case EFBIG: verification.foreignCount += 1
            case EISDIR, ELOOP, ENXIO: removeDamaged(entry, "it is no regular file", &verification)
            default: verification.note(path, "it cannot be read: \(error)", false)
            }
        } catch {
            removeDamaged(entry, "\(error)", &verification)
        }
    }

    private func removeDamaged(_ entry: DiskSurvey.Entry, _ reason: String, _ verification: inout DiskVerification) {
        // Another process may have stored it anew since it was found.
        if let present = try? files.attributes(of: entry.path), !entry.isSame(as: present) { return }
        let isRemoved = (try? removeEntry(entry.path, in: entry.shard)) != nil
        if isRemoved { counters.withLock { $0.repairs += 1 } }
        verification.note(entry.path, reason, isRemoved)
    }

    private func removeFound(_ obstacle: DiskObstacle, _ verification: inout DiskVerification) {
        do throws(FileSystemError) {
            try remove(obstacle)
            verification.note(obstacle.path, obstacle.reason, true)
        } catch {
            let advice = obstacle.advice.map { "; \($0)" } ?? ""
            verification.note(obstacle.path, "\(obstacle.reason), and cannot be removed: \(error)\(advice)", false)
        }
    }

    /// Sees that an entry becomes old.
    private func mendStamp(of entry: DiskSurvey.Entry, _ verification: inout DiskVerification) {
        var entry = entry
        let reason = "its time stamp lies in the future"
        do throws(FileSystemError) {
            if try correctStamp(of: &entry, at: time.wallTime()) { verification.note(entry.path, reason, true) }
        } catch {
            // Another process has removed it.
            if error.code == ENOENT { return }
            verification.note(entry.path, "\(reason), and cannot be set: \(error)", false)
        }
    }

    /// Sees that a removal by tag finds an entry.
    private func mendTags(
        _ digests: [[UInt8]], of entry: DiskSurvey.Entry, _ verification: inout DiskVerification
    ) {
        for digest in digests {
            let marker = DiskTagMarker(directory: tagDirectory(digest, in: entry.shard), name: entry.marker)
            if (try? files.isPresent(marker.path)) == true { continue }
            let isMended = (try? restore(marker, at: time.wallTime())) != nil
            verification.note(marker.path, "an entry cannot be found by its tag", isMended)
        }
    }
}

extension DiskVerification {
    fileprivate mutating func note(_ path: String, _ reason: String, _ isMended: Bool) {
        findings.append(Finding(path: path, reason: reason, isMended: isMended))
    }
}
