import Calotype
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PrometheusTextTests {
    /// Statistics with a value for every metric.
    private static var snapshot: ManagerStatistics {
        var statistics = ManagerStatistics()
        statistics.inFlight = 2
        statistics.memoryHits = 10
        statistics.diskHits = 3
        statistics.revalidations = 1
        statistics.loads = 4
        statistics.cancellations = 5
        statistics.failures = [.notFound: 2, .badData: 1]
        statistics.issues = [.cacheFailed: 7]
        statistics.retries = 6
        var decoding = StageStatistics()
        decoding.running = 1
        decoding.failures = 1
        decoding.postponements = 2
        decoding.joins = 9
        decoding.byteCount = 4800
        let times: [Duration] = [
            .microseconds(50), .milliseconds(1), .milliseconds(1), .milliseconds(250), .seconds(20),
        ]
        for time in times { decoding.latency.add(time) }
        statistics.stages = [.decode: decoding]
        var memory = MemoryCacheStatistics()
        memory.hits = 10
        memory.misses = 8
        memory.evictions = 1
        memory.count = 3
        memory.byteCount = 1 << 20
        var data = DataCacheStatistics()
        data.hits = 3
        data.bytesRead = 3000
        data.reading.count = 4
        data.reading.total = .milliseconds(30)
        statistics.caches = CacheStatistics(memory: memory, disk: data)
        return statistics
    }

    @Test func `a snapshot gives the expected text`() {
        #expect(Self.snapshot.prometheusText == Self.golden)
    }

    @Test func `the text follows the format`() throws {
        let read = try Exposition(Self.snapshot.prometheusText)
        #expect(read.families.values.allSatisfy { $0.help?.isEmpty == false && $0.type != "untyped" })
        #expect(read.families.allSatisfy { ($0.value.type == "counter") == $0.key.hasSuffix("_total") })
        #expect(read.value("calotype_requests_total") == 28)
        #expect(read.value("calotype_responses_total", ["source": "revalidated"]) == 1)
        #expect(read.value("calotype_request_failures_total", ["code": "notFound"]) == 2)
        #expect(read.value("calotype_step_duration_seconds_bucket", ["stage": "decode", "le": "0.001"]) == 3)
        #expect(read.value("calotype_step_duration_seconds_bucket", ["stage": "decode", "le": "10"]) == 4)
        #expect(read.value("calotype_step_duration_seconds_count", ["stage": "decode"]) == 5)
        #expect(read.value("calotype_memory_cache_evictions_total") == 1)
        #expect(read.value("calotype_disk_cache_read_duration_seconds_sum") == 0.03)
    }

    @Test func `unknown values are left out`() throws {
        let read = try Exposition(ManagerStatistics().prometheusText)
        #expect(read.value("calotype_requests_total") == 0)
        #expect(read.families["calotype_request_failures_total"] == nil)
        #expect(read.families["calotype_disk_cache_bytes"] == nil)
    }

    @Test(arguments: ["\"", "\\", "\n", "\r\n", "a\\\"b\nc\\n", "{code=\"x\"} 1", "\u{1F600}", ""])
    func `any plugin-defined name is escaped and can be read back`(
        name: String
    ) throws {
        var statistics = ManagerStatistics()
        statistics.failures = [ImageError.Code(rawValue: name): 3, .notFound: 1]
        let stage = ImageError.Stage(rawValue: name)
        statistics.stages = [stage: StageStatistics(), .load: StageStatistics()]
        let read = try Exposition(statistics.prometheusText)
        #expect(read.value("calotype_request_failures_total", ["code": name]) == 3)
        #expect(read.value("calotype_steps_running", ["stage": name]) == 0)
    }

    @Test(arguments: [
        "a 1", "a 1\nb\n", "a 1\na 2\n", "a{b=\"c\"} 1\na{b=\"c\"} 1\n", "a 1\nb 1\na{c=\"d\"} 1\n", "1a 1\n",
        "a{1b=\"c\"} 1\n", "a{b=c} 1\n", "a{b=\"c\"d=\"e\"} 1\n", "a{b=\"\\x\"} 1\n", "a{b=\"c} 1\n", "a one\n",
        "a 1\n# TYPE a counter\n", "# TYPE a number\n", "# TYPE a counter gauge\n", "# HELP a b\n# HELP a c\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
        "# TYPE a histogram\na_bucket{le=\"2\"} 1\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a summary\na_sum 1\n",
    ])
    func `the test parser rejects invalid text`(text: String) {
        #expect(throws: Exposition.Violation.self) { try Exposition(text) }
    }

    @Test func `the test parser accepts valid text`() throws {
        let text =
            "\n# a comment\n#HELP a \\\\ and \\n\n  a { b = \"x\\\"y\" , } 1e3 1234\n# TYPE c gauge\nc\t+Inf\nd NaN\n"
        let read = try Exposition(text)
        #expect(read.families["a"]?.help == "\\ and \n")
        #expect(read.value("a", ["b": "x\"y"]) == 1000)
        #expect(read.value("c") == .infinity)
        #expect(read.value("d")?.isNaN == true)
    }

    private static let golden = """
        # HELP calotype_requests_total Requests that have begun.
        # TYPE calotype_requests_total counter
        calotype_requests_total 28
        # HELP calotype_requests_in_flight Requests in progress.
        # TYPE calotype_requests_in_flight gauge
        calotype_requests_in_flight 2
        # HELP calotype_responses_total Requests that succeeded, by the source of the image.
        # TYPE calotype_responses_total counter
        calotype_responses_total{source="memory"} 10
        calotype_responses_total{source="disk"} 3
        calotype_responses_total{source="revalidated"} 1
        calotype_responses_total{source="loader"} 4
        # HELP calotype_request_cancellations_total Requests that were cancelled.
        # TYPE calotype_request_cancellations_total counter
        calotype_request_cancellations_total 5
        # HELP calotype_request_failures_total Requests that failed, by the code of the error.
        # TYPE calotype_request_failures_total counter
        calotype_request_failures_total{code="badData"} 1
        calotype_request_failures_total{code="notFound"} 2
        # HELP calotype_issues_total Failures that did not stop a request, by the code of the error.
        # TYPE calotype_issues_total counter
        calotype_issues_total{code="cacheFailed"} 7
        # HELP calotype_retries_total Retries of loads.
        # TYPE calotype_retries_total counter
        calotype_retries_total 6
        # HELP calotype_steps_running Steps in progress.
        # TYPE calotype_steps_running gauge
        calotype_steps_running{stage="decode"} 1
        # HELP calotype_step_duration_seconds The durations of steps that succeeded.
        # TYPE calotype_step_duration_seconds histogram
        calotype_step_duration_seconds_bucket{stage="decode",le="0.0001"} 1
        calotype_step_duration_seconds_bucket{stage="decode",le="0.0003"} 1
        calotype_step_duration_seconds_bucket{stage="decode",le="0.001"} 3
        calotype_step_duration_seconds_bucket{stage="decode",le="0.003"} 3
        calotype_step_duration_seconds_bucket{stage="decode",le="0.01"} 3
        calotype_step_duration_seconds_bucket{stage="decode",le="0.03"} 3
        calotype_step_duration_seconds_bucket{stage="decode",le="0.1"} 3
        calotype_step_duration_seconds_bucket{stage="decode",le="0.3"} 4
        calotype_step_duration_seconds_bucket{stage="decode",le="1"} 4
        calotype_step_duration_seconds_bucket{stage="decode",le="3"} 4
        calotype_step_duration_seconds_bucket{stage="decode",le="10"} 4
        calotype_step_duration_seconds_bucket{stage="decode",le="+Inf"} 5
        calotype_step_duration_seconds_sum{stage="decode"} 20.25205
        calotype_step_duration_seconds_count{stage="decode"} 5
        # HELP calotype_step_misses_total Steps that succeeded and found nothing.
        # TYPE calotype_step_misses_total counter
        calotype_step_misses_total{stage="decode"} 0
        # HELP calotype_step_failures_total Steps that failed.
        # TYPE calotype_step_failures_total counter
        calotype_step_failures_total{stage="decode"} 1
        # HELP calotype_step_cancellations_total Steps that were cancelled.
        # TYPE calotype_step_cancellations_total counter
        calotype_step_cancellations_total{stage="decode"} 0
        # HELP calotype_step_postponements_total Steps that were postponed for lack of memory.
        # TYPE calotype_step_postponements_total counter
        calotype_step_postponements_total{stage="decode"} 2
        # HELP calotype_step_joins_total Waits for work that another request began.
        # TYPE calotype_step_joins_total counter
        calotype_step_joins_total{stage="decode"} 9
        # HELP calotype_step_bytes_total Bytes that steps read, loaded, produced or wrote.
        # TYPE calotype_step_bytes_total counter
        calotype_step_bytes_total{stage="decode"} 4800
        # HELP calotype_memory_cache_hits_total Requested images that were in memory.
        # TYPE calotype_memory_cache_hits_total counter
        calotype_memory_cache_hits_total 10
        # HELP calotype_memory_cache_weak_hits_total Images that were evicted and found because they were still retained.
        # TYPE calotype_memory_cache_weak_hits_total counter
        calotype_memory_cache_weak_hits_total 0
        # HELP calotype_memory_cache_misses_total Requested images that were not in memory.
        # TYPE calotype_memory_cache_misses_total counter
        calotype_memory_cache_misses_total 8
        # HELP calotype_memory_cache_insertions_total Images that were stored.
        # TYPE calotype_memory_cache_insertions_total counter
        calotype_memory_cache_insertions_total 0
        # HELP calotype_memory_cache_evictions_total Images that were evicted for lack of space.
        # TYPE calotype_memory_cache_evictions_total counter
        calotype_memory_cache_evictions_total 1
        # HELP calotype_memory_cache_expirations_total Images that expired.
        # TYPE calotype_memory_cache_expirations_total counter
        calotype_memory_cache_expirations_total 0
        # HELP calotype_memory_cache_images Images in memory.
        # TYPE calotype_memory_cache_images gauge
        calotype_memory_cache_images 3
        # HELP calotype_memory_cache_bytes Bytes of pixels in memory.
        # TYPE calotype_memory_cache_bytes gauge
        calotype_memory_cache_bytes 1048576
        # HELP calotype_disk_cache_hits_total Reads that found an entry.
        # TYPE calotype_disk_cache_hits_total counter
        calotype_disk_cache_hits_total 3
        # HELP calotype_disk_cache_misses_total Reads that found no entry.
        # TYPE calotype_disk_cache_misses_total counter
        calotype_disk_cache_misses_total 0
        # HELP calotype_disk_cache_failures_total Reads and stores that failed.
        # TYPE calotype_disk_cache_failures_total counter
        calotype_disk_cache_failures_total 0
        # HELP calotype_disk_cache_read_bytes_total Bytes that were read.
        # TYPE calotype_disk_cache_read_bytes_total counter
        calotype_disk_cache_read_bytes_total 3000
        # HELP calotype_disk_cache_written_bytes_total Bytes that were written.
        # TYPE calotype_disk_cache_written_bytes_total counter
        calotype_disk_cache_written_bytes_total 0
        # HELP calotype_disk_cache_insertions_total Entries that were stored.
        # TYPE calotype_disk_cache_insertions_total counter
        calotype_disk_cache_insertions_total 0
        # HELP calotype_disk_cache_evictions_total Entries that were evicted for lack of space.
        # TYPE calotype_disk_cache_evictions_total counter
        calotype_disk_cache_evictions_total 0
        # HELP calotype_disk_cache_expirations_total Entries that expired.
        # TYPE calotype_disk_cache_expirations_total counter
        calotype_disk_cache_expirations_total 0
        # HELP calotype_disk_cache_repairs_total Damaged entries that were removed.
        # TYPE calotype_disk_cache_repairs_total counter
        calotype_disk_cache_repairs_total 0
        # HELP calotype_disk_cache_read_duration_seconds The durations of reads.
        # TYPE calotype_disk_cache_read_duration_seconds summary
        calotype_disk_cache_read_duration_seconds_sum 0.03
        calotype_disk_cache_read_duration_seconds_count 4
        # HELP calotype_disk_cache_write_duration_seconds The durations of stores.
        # TYPE calotype_disk_cache_write_duration_seconds summary
        calotype_disk_cache_write_duration_seconds_sum 0
        calotype_disk_cache_write_duration_seconds_count 0

        """
}
