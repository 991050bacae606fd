import CalotypeTesting
import Testing

@testable import Calotype

/// Registered loaders, each of which loads the pictures of one user.
@Suite(.timeLimit(.minutes(5)))
struct LoaderDistinctionTests {
    /// A loader that represents one with signed requests.
    private struct SigningLoader: ForwardingImageLoader {
        let base: any ImageLoader
        var distinction = ""
    }

    /// A loader that forwards to another one, without a distinction.
    private struct PlainLoader: ForwardingImageLoader {
        let base: any ImageLoader
        let distinction = ""
    }

    /// A loader for one user, which does not forward.
    private struct UserLoader: ImageLoader {
        let base: FakeImageLoader
        let number: Int
        var distinction: String { "user-\(number)" }

        func canLoad(_ request: LoadRequest) -> Bool { base.canLoad(request) }

        func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
            try await base.load(request, into: sink)
        }
    }

    /// A delegate that runs a closure once, at the first load.
    private final class Delegate: ImageManagerDelegate {
        private let change: Lock<(@Sendable () -> Void)?>

        init(_ change: @escaping @Sendable () -> Void) { self.change = Lock(change) }

        func shouldLoad(_ request: LoadRequest) -> Bool {
            change.withLock { change -> (@Sendable () -> Void)? in
                defer { change = nil }
                return change
            }?()
            return true
        }
    }

    private let directory = InMemoryDataCache()

    /// Returns a loader of a picture whose width is the loader's number.
    private func base(_ number: Int, scheme: String = "fake") -> FakeImageLoader {
        FakeImageLoader(scheme: scheme, answer: .bytes(RawImageCoder.file(width: number, height: 5)))
    }

    /// Returns a manager with the shared directory, and a loader.
    private func manager(_ loader: any ImageLoader) -> ImageManager {
        let manager = ImageManager(context: [.imageCache(TieredCache(disk: directory)), .waitStoreCache])
        manager.registry.coders.add(RawImageCoder())
        manager.registry.loaders.add(loader)
        return manager
    }

    @Test(arguments: ["fake", "http"])
    func `managers of two users share a directory and no entries`(scheme: String) async throws {
        let url = try #require(URL(string: "\(scheme)://host/picture.raw"))
        let contexts: [ImageContext] = [[], [.thumbnailPixelSize(2, 2)]]
        for source in [ImageResponse.Source.loader, .disk] {
            for number in [17, 18] {
                let loader = SigningLoader(base: base(number, scheme: scheme), distinction: "user-\(number)")
                for context in contexts {
                    let request = ImageRequest(url, context: context)
                    let response = try await manager(loader).response(for: request)
                    if context.isEmpty {
                        #expect(response.image.width == number)
                        #expect(response.source == source)
                    }
                    let key = try await manager(loader).cacheKey(for: request)
                    #expect(key.policy == "distinction=user-\(number)")
                }
            }
        }
        let plain = ImageRequest(url, context: [.fromCacheOnly])
        let error = await imageError { try await manager(base(16, scheme: scheme)).image(for: plain) }
        #expect(error?.code == .notCached)
    }

    @Test func `the distinction of a loader that does not forward is used`() async throws {
        let request = ImageRequest(Bench.url)
        for number in [17, 18] {
            let manager = manager(UserLoader(base: base(number), number: number))
            #expect(try await manager.image(for: request).width == number)
            #expect(try await manager.cacheKey(for: request).policy == "distinction=user-\(number)")
            let inside = self.manager(PlainLoader(base: UserLoader(base: base(19), number: number)))
            #expect(try await inside.image(for: request).width == number, "the wrapped loader has the same entries")
        }
        #expect(try await manager(base(16)).cacheKey(for: request).policy.isEmpty)
    }

    @Test func `loader identities cannot be confused by their names`() {
        let base = base(16)
        let nested = SigningLoader(base: SigningLoader(base: base, distinction: "x"), distinction: "y) z")
        let other = SigningLoader(base: SigningLoader(base: base, distinction: "x) y"), distinction: "z")
        #expect(nested.identity != other.identity)
    }

    @Test func `the distinction is part of a transfer, but not of a source`() async throws {
        var resolutions: [ResolvedRequest] = []
        for name in ["", "user-17", "user-18"] {
            let manager = manager(SigningLoader(base: base(17), distinction: name))
            resolutions.append(try await manager.resolved(of: ImageRequest(Bench.url)))
        }
        #expect(Set(resolutions.map(\.transfer)).count == 3)
        #expect(Set(resolutions.map(\.variant)).count == 3)
        #expect(Set(resolutions.map(\.variant.source)).count == 1)
        #expect(resolutions[0].variant.policy.isEmpty)
        #expect(resolutions[0].transfer.policy.isEmpty)
    }

    @Test func `a reused request is loaded by a loader added later`() async throws {
        let manager = manager(base(16))
        let request = ImageRequest(Bench.url)
        #expect(try await manager.image(for: request).width == 16)
        let token = manager.registry.loaders.add(SigningLoader(base: base(17), distinction: "user-17"))
        #expect(manager.cachedResponse(for: request) == nil)
        #expect(try await manager.image(for: request).width == 17)
        manager.registry.loaders.remove(token)
        #expect(manager.cachedResponse(for: request)?.image.width == 16)
    }

    @Test(arguments: ["user-17", ""])
    func `data loaded for another user meanwhile is not stored`(first: String) async throws {
        let manager = self.manager(base(16))
        let token = manager.registry.loaders.add(SigningLoader(base: base(17), distinction: first))
        let delegate = Delegate { [registry = manager.registry, base = base(18)] in
            registry.loaders.remove(token)
            registry.loaders.add(SigningLoader(base: base, distinction: "user-18"))
        }
        let request = ImageRequest(Bench.url, context: [.delegate(delegate)])
        let error = await imageError { try await manager.image(for: request) }
        #expect(error?.code == .loadFailed)
        let cached = ImageRequest(Bench.url, context: [.fromCacheOnly])
        for name in [first, "user-18"] {
            let other = self.manager(SigningLoader(base: base(19), distinction: name))
            #expect(await imageError { try await other.image(for: cached) }?.code == .notCached)
        }
        // A new request uses the other user's picture.
        #expect(try await manager.image(for: request).width == 18)
        #expect(try await manager.cacheKey(for: request).policy == "distinction=user-18")
    }

    @Test func `the distinction of a wrapped loader is used, that of one for other requests is not`() async throws {
        let inner = PlainLoader(base: SigningLoader(base: base(17), distinction: "user;17"))
        let manager = manager(SigningLoader(base: inner, distinction: "site"))
        manager.registry.loaders.add(SigningLoader(base: base(18, scheme: "other"), distinction: "user-18"))
        let policy = try await manager.cacheKey(for: ImageRequest(Bench.url)).policy
        #expect(policy == "distinction=\("site;user%3B17".identityEscaped)")
        let own = ImageRequest(Bench.url, context: [.imageLoader(base(19))])
        #expect(try await !manager.cacheKey(for: own).policy.contains("distinction="))
    }
}
