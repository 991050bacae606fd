extension ManagerStatistics {
    /// The statistics in the text exposition format of Prometheus, version 0.0.4, for a response with the media type
    /// `text/plain; version=0.0.4`.
    ///
    /// Names begin with `calotype_`; times are in seconds. Metrics without values are left out, such as failures before
    /// the first one, and caches without a disk tier.
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
        text.add("calotype_requests_in_flight", .gauge, "Requests under way.", inFlight)
        text.add(
            "calotype_responses_total", .counter, "Requests that were answered, by where the image came from.",
            by: "source",
            [("memory", memoryHits), ("disk", diskHits), ("revalidated", revalidations), ("loader", loads)])
        text.add(
            "calotype_request_cancellations_total", .counter, "Requests that were cancelled.", cancellations)
        text.add(
            "calotype_request_failures_total", .counter, "Requests that failed, by the code of the error.", by: "code",
            Self.sorted(failures))
        text.add(
            "calotype_issues_total", .counter, "Failures that no request failed with, by the code of the error.",
            by: "code", Self.sorted(issues))
        text.add("calotype_retries_total", .counter, "Loads that were tried again.", retries)
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
        text.add("calotype_steps_running", .gauge, "Steps under way.", by: "stage", values(\.running))
        text.add(
            "calotype_step_duration_seconds", "How long steps took that were done.", by: "stage",
            known.map { (name: $0.name, value: $0.value.latency) })
        text.add(
            "calotype_step_misses_total", .counter, "Steps that were done and found nothing.", by: "stage",
            values(\.misses))
        text.add("calotype_step_failures_total", .counter, "Steps that failed.", by: "stage", values(\.failures))
        text.add(
            "calotype_step_cancellations_total", .counter, "Steps that were cancelled.", by: "stage",
            values(\.cancellations))
        text.add(
            "calotype_step_postponements_total", .counter, "Steps that gave way for want of memory, and began anew.",
            by: "stage", values(\.postponements))
        text.add(
            "calotype_step_joins_total", .counter, "Waits for work that another request had begun.", by: "stage",
            values(\.joins))
        text.add(
            "calotype_step_bytes_total", .counter, "Bytes that steps have read, loaded, made or written.", by: "stage",
            values(\.byteCount))
    }

    private static func add(_ cache: MemoryCacheStatistics, to text: inout PrometheusText) {
        text.add("calotype_memory_cache_hits_total", .counter, "Images that were asked for and there.", cache.hits)
        text.add(
            "calotype_memory_cache_weak_hits_total", .counter,
            "Images that were evicted and found because they were still retained.", cache.weakHits)
        text.add(
            "calotype_memory_cache_misses_total", .counter, "Images that were asked for and not there.", cache.misses)
        text.add("calotype_memory_cache_insertions_total", .counter, "Images that were stored.", cache.insertions)
        text.add(
            "calotype_memory_cache_evictions_total", .counter, "Images that were given up for want of room.",
            cache.evictions)
        text.add(
            "calotype_memory_cache_expirations_total", .counter, "Images whose time was over.", cache.expirations)
        text.add("calotype_memory_cache_images", .gauge, "Images that are held.", cache.count)
        text.add("calotype_memory_cache_bytes", .gauge, "Bytes of pixels that are held.", cache.byteCount)
    }

    private static func add(_ cache: DataCacheStatistics, to text: inout PrometheusText) {
        text.add("calotype_data_cache_hits_total", .counter, "Reads that found an entry.", cache.hits)
        text.add("calotype_data_cache_misses_total", .counter, "Reads that found none.", cache.misses)
        text.add("calotype_data_cache_failures_total", .counter, "Reads and stores that failed.", cache.failures)
        text.add("calotype_data_cache_read_bytes_total", .counter, "Bytes that were read.", cache.bytesRead)
        text.add("calotype_data_cache_written_bytes_total", .counter, "Bytes that were written.", cache.bytesWritten)
        text.add("calotype_data_cache_insertions_total", .counter, "Entries that were stored.", cache.insertions)
        text.add(
            "calotype_data_cache_evictions_total", .counter, "Entries that were removed for want of room.",
            cache.evictions)
        text.add(
            "calotype_data_cache_expirations_total", .counter, "Entries whose time was over.", cache.expirations)
        text.add("calotype_data_cache_repairs_total", .counter, "Entries that were damaged.", cache.repairs)
        text.add("calotype_data_cache_read_duration_seconds", "How long reads took.", cache.reading)
        text.add("calotype_data_cache_write_duration_seconds", "How long stores took.", cache.writing)
        if let count = cache.count {
            text.add("calotype_data_cache_entries", .gauge, "Entries that are held.", count)
        }
        if let byteCount = cache.byteCount {
            text.add("calotype_data_cache_bytes", .gauge, "Bytes that are held.", byteCount)
        }
    }
}
