/// The steps that were done for a response, and their durations.
public struct ImageMetrics: Sendable {
    /// One step.
    public struct Step: Sendable {
        /// The stage of the step.
        public var stage: ImageError.Stage
        /// The loader, coder, transformer or cache that did it.
        public var component: String?
        /// The tier of the cache that was asked or written to; nil for what concerns none.
        public var tier: CacheTiers?
        /// The duration of the step, without the time that it waited for a free thread.
        public var duration: Duration
        /// Bytes read, loaded, decoded or written; nil if none were.
        public var byteCount: Int?
        /// The metrics of the transfer, for loads over a network; otherwise nil.
        public var transfer: TransferMetrics? {
            get { boxedTransfer?.value }
            set { boxedTransfer = newValue.map(Boxed.init) }
        }
        private var boxedTransfer: Boxed<TransferMetrics>?

        /// A step.
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

    /// The steps in the order in which they were done; those shared with other requests are in each one's list. Empty
    /// for a hit in memory.
    public internal(set) var steps: [Step] = []

    /// Returns the duration of all steps of a stage together.
    public func duration(of stage: ImageError.Stage) -> Duration {
        steps.filter { $0.stage == stage }.reduce(.zero) { $0 + $1.duration }
    }
}
