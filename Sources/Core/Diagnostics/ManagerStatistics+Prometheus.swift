extension ManagerStatistics {
    /// The statistics in the text exposition format of Prometheus, version 0.0.4, for a response with the media type
    /// `text/plain; version=0.0.4`.
    ///
    /// Names begin with `calotype_`; times are in seconds. Metrics without values are left out. Examples are the number
    /// of failures while no request has failed, and the metrics of a disk tier if no cache has a disk tier.
    public var prometheusText: String {
        var text = PrometheusText()
        addRequests(to: &text)
        addStages(to: &text)
        if let memory = caches.memory { Self.add(memory, to: &text) }
        if let disk = caches.disk { Self.add(disk, to: &text) }
        return text.text
    }

    private func addRequests(to text: inout PrometheusText) {
        text.add("calotype_requests_total", .counter, "Requests that have begun.", begun)
        text.add("calotype_requests_in_flight", .gauge, "Requests in progress.", inFlight)
        text.add(
            "calotype_responses_total", .counter, "Requests that succeeded, by the source of the image.",
            by: "source",
            [("memory", memoryHits), ("disk", diskHits), ("revalidated", revalidations), ("loader", loads)])
        text.add(
            "calotype_request_cancellations_total", .counter, "Requests that were cancelled.", cancellations)
        text.add(
            "calotype_request_failures_total", .counter, "Requests that failed, by the code of the error.", by: "code",
            Self.sorted(failures))
        text.add(
            "calotype_issues_total", .counter, "Failures that did not stop a request, by the code of the error.",
            by: "code", Self.sorted(issues))
        text.add("calotype_retries_total", .counter, "Retries of loads.", retries)
    }

    private static func sorted(_ counts: [ImageError.Code: Int]) -> [(name: String, value: Int)] {
        counts.map { (name: $0.key.rawValue, value: $0.value) }.sorted { $0.name < $1.name }
    }

    private func addStages(to text: inout PrometheusText) {
        // The stages of a manager in the order of a request, followed by stages that client code has added.
        let others = stages.keys.filter { !Counters.stages.contains($0) }.sorted { $0.rawValue < $1.rawValue }
        let known = (Counters.stages + others).compactMap { stage in
            stages[stage].map { (name: stage.rawValue, value: $0) }
        }
        func values(_ path: KeyPath<StageStatistics, Int>) -> [(name: String, value: Int)] {
            known.map { (name: $0.name, value: $0.value[keyPath: path]) }
        }
        text.add("calotype_steps_running", .gauge, "Steps in progress.", by: "stage", values(\.running))
        text.add(
            "calotype_step_duration_seconds", "The durations of steps that succeeded.", by: "stage",
            known.map { (name: $0.name, value: $0.value.latency) })
        text.add(
            "calotype_step_misses_total", .counter, "Steps that succeeded and found nothing.", by: "stage",
            values(\.misses))
        text.add("calotype_step_failures_total", .counter, "Steps that failed.", by: "stage", values(\.failures))
        text.add(
            "calotype_step_cancellations_total", .counter, "Steps that were cancelled.", by: "stage",
            values(\.cancellations))
        text.add(
            "calotype_step_postponements_total", .counter, "Steps that were postponed for lack of memory.",
            by: "stage", values(\.postponements))
        text.add(
            "calotype_step_joins_total", .counter, "Waits for work that another request began.", by: "stage",
            values(\.joins))
        text.add(
            "calotype_step_bytes_total", .counter, "Bytes that steps read, loaded, produced or wrote.", by: "stage",
            values(\.byteCount))
    }

    private static func add(_ cache: MemoryCacheStatistics, to text: inout PrometheusText) {
        text.add("calotype_memory_cache_hits_total", .counter, "Requested images that were in memory.", cache.hits)
        text.add(
            "calotype_memory_cache_weak_hits_total", .counter,
            "Images that were evicted and found because they were still retained.", cache.weakHits)
        text.add(
            "calotype_memory_cache_misses_total", .counter, "Requested images that were not in memory.", cache.misses)
        text.add("calotype_memory_cache_insertions_total", .counter, "Images that were stored.", cache.insertions)
        text.add(
            "calotype_memory_cache_evictions_total", .counter, "Images that were evicted for lack of space.",
            cache.evictions)
        text.add(
            "calotype_memory_cache_expirations_total", .counter, "Images that expired.", cache.expirations)
        text.add("calotype_memory_cache_images", .gauge, "Images in memory.", cache.count)
        text.add("calotype_memory_cache_bytes", .gauge, "Bytes of pixels in memory.", cache.byteCount)
    }

    private static func add(_ cache: DataCacheStatistics, to text: inout PrometheusText) {
        text.add("calotype_disk_cache_hits_total", .counter, "Reads that found an entry.", cache.hits)
        text.add("calotype_disk_cache_misses_total", .counter, "Reads that found no entry.", cache.misses)
        text.add("calotype_disk_cache_failures_total", .counter, "Reads and stores that failed.", cache.failures)
        text.add("calotype_disk_cache_read_bytes_total", .counter, "Bytes that were read.", cache.bytesRead)
        text.add("calotype_disk_cache_written_bytes_total", .counter, "Bytes that were written.", cache.bytesWritten)
        text.add("calotype_disk_cache_insertions_total", .counter, "Entries that were stored.", cache.insertions)
        text.add(
            "calotype_disk_cache_evictions_total", .counter, "Entries that were evicted for lack of space.",
            cache.evictions)
        text.add(
            "calotype_disk_cache_expirations_total", .counter, "Entries that expired.", cache.expirations)
        text.add("calotype_disk_cache_repairs_total", .counter, "Damaged entries that were removed.", cache.repairs)
        text.add("calotype_disk_cache_read_duration_seconds", "The durations of reads.", cache.reading)
        text.add("calotype_disk_cache_write_duration_seconds", "The durations of stores.", cache.writing)
        if let count = cache.count {
            text.add("calotype_disk_cache_entries", .gauge, "Entries in the cache.", count)
        }
        if let byteCount = cache.byteCount {
            text.add("calotype_disk_cache_bytes", .gauge, "Bytes in the cache.", byteCount)
        }
    }
}
