import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct JobTests {
    private let time = ManualTime()

    private func error(of job: Job) -> ImageError? {
        do {
            try job.check()
            return nil
        } catch {
            return error
        }
    }

    private func decoding(_ job: Job, _ context: ImageContext) -> Job {
        job.decoding(ResolvedContext(context), time: time)
    }

    @Test func `the decode timeout starts with the decode`() {
        let job = Job(time: time)
        time.advance(by: .seconds(100))
        let decoding = decoding(job, [.decodeTimeout(.seconds(10))])
        time.advance(by: .seconds(10))
        #expect(error(of: decoding) == nil)
        time.advance(by: .milliseconds(1))
        #expect(error(of: decoding)?.code == .timedOut)
        #expect(error(of: decoding)?.advice == "raise the context value `decodeTimeout`")
        #expect(error(of: job) == nil, "the surrounding job continues")
    }

    @Test(arguments: [4, 6])
    func `the earlier deadline applies, and the error names it`(timeout: Int) {
        let job = Job(timeout: .seconds(timeout), time: time)
        let decoding = decoding(job, [.decodeTimeout(.seconds(5))])
        time.advance(by: .seconds(min(timeout, 5)))
        #expect(error(of: decoding) == nil)
        time.advance(by: .milliseconds(1))
        let name = timeout < 5 ? "timeout" : "decodeTimeout"
        #expect(error(of: decoding)?.advice == "raise the context value `\(name)`")
    }

    @Test(arguments: [ImageContext(), [.decodeTimeout(.seconds(5))]])
    func `cancelling a job cancels its decode, and the reverse`(context: ImageContext) {
        let (job, other) = (Job(time: time), Job(time: time))
        let decodings = [decoding(job, context), decoding(other, context)]
        job.cancel()
        #expect(error(of: decodings[0])?.code == .cancelled)
        #expect(error(of: decodings[1]) == nil)
        decodings[1].cancel()
        #expect(other.isCancelled)
    }
}
