/// The steps that led to a response, and their durations.
public struct ImageMetrics: Sendable {
    /// A step that led to the response.
    public struct Step: Sendable {
        /// The stage of the step.
        public var stage: ImageError.Stage
        /// The name of the loader, coder, transformer or cache that did the step.
        public var component: String?
        /// The tier of the cache that was read or written; nil for steps without a cache.
        public var tier: CacheTiers?
        /// The duration of the step, without the time that it waited for a free thread.
        public var duration: Duration
        /// The number of bytes that the step read, loaded or wrote. For decoding and transforming, this is the number
        /// of bytes that the resulting image takes in memory. Nil if there are none.
        public var byteCount: Int?
        /// The metrics of the transfer, for loads over a network; otherwise nil.
        public var transfer: TransferMetrics? {
            get { boxedTransfer?.value }
            set { boxedTransfer = newValue.map(Boxed.init) }
        }
        private var boxedTransfer: Boxed<TransferMetrics>?

        /// Creates a step.
        public init(
            stage: ImageError.Stage, component: String? = nil, tier: CacheTiers? = nil, duration: Duration,
            byteCount: Int? = nil, transfer: TransferMetrics? = nil
        ) {
            self.stage = stage
            self.component = component
            self.tier = tier
            self.duration = duration
            self.byteCount = byteCount
            boxedTransfer = transfer.map(Boxed.init)
        }
    }

    /// The steps in the order in which they were done. A step that several requests share is in the metrics of each of
    /// them. Empty for a hit in memory.
    public internal(set) var steps: [Step] = []

    /// Returns the total duration of all steps of a stage.
    public func duration(of stage: ImageError.Stage) -> Duration {
        steps.filter { $0.stage == stage }.reduce(.zero) { $0 + $1.duration }
    }
}
