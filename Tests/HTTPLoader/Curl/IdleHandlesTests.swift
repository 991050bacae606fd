#if HTTP
import Testing

@testable import CalotypeHTTP

/// The choice among reusable handles, which not every version of libcurl supports.
struct IdleHandlesTests {
    @Test func `a handle is reused for the same authorities, the last one first`() {
        var handles = IdleHandles<Int>()
        handles.add(1, trusting: "/a.pem")
        handles.add(2, trusting: nil)
        handles.add(3, trusting: "/a.pem")
        handles.add(4, trusting: "/caf\u{E9}.pem")
        #expect(handles.take(trusting: "/a.pem") == 3)
        #expect(handles.take(trusting: nil) == 2)
        #expect(handles.take(trusting: "/a.pem") == 1)
        #expect(handles.take(trusting: "/cafe\u{301}.pem") == nil, "the path looks alike, but is another file")
    }

    @Test func `a request with other authorities removes the oldest handle`() {
        var handles = IdleHandles<Int>()
        for number in 1...3 { handles.add(number, trusting: "/\(number).pem") }
        #expect(handles.take(trusting: "/4.pem") == nil)
        #expect(handles.count == 2)
        #expect(handles.take(trusting: "/1.pem") == nil)
        #expect(handles.take(trusting: "/3.pem") == 3)
        #expect(handles.count == 0)
        #expect(handles.take(trusting: nil) == nil)
    }
}
#endif
