import CalotypeStandard

/// Files of one length that a server has, all wanted at once.
struct FileBatch {
    /// The address of the server's file. A query makes many of it, which the server does not look at.
    let address: String
    /// How many are wanted.
    let count: Int
    /// The length of each.
    let byteCount: Int
    /// How many may be under way.
    let limit: Int

    /// Why it was not got as it should be.
    static func failure(_ client: String) -> BenchmarkError {
        BenchmarkError("\(client) did not get all files as they are")
    }

    /// The addresses of all files.
    func urls() throws(BenchmarkError) -> [URL] {
        var urls: [URL] = []
        for index in 0..<count {
            guard let url = URL(string: "\(address)?\(index)") else {
                throw BenchmarkError("\(address) is not an address")
            }
            urls.append(url)
        }
        return urls
    }
}
