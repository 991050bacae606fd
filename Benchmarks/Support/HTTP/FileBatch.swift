import CalotypeStandard

/// Files of equal length on a server, all requested at once.
struct FileBatch {
    /// The address of the file on the server. A query, which the server ignores, turns it into many addresses.
    let address: String
    /// The number of files to load.
    let count: Int
    /// The length of each file.
    let byteCount: Int
    /// The number of loads that may be in flight.
    let limit: Int

    /// Returns the error for a load that did not get all files.
    static func failure(_ client: String) -> BenchmarkError {
        BenchmarkError("\(client) did not receive all files unchanged")
    }

    /// Returns the addresses of all files.
    func urls() throws(BenchmarkError) -> [URL] {
        var urls: [URL] = []
        for index in 0..<count {
            guard let url = URL(string: "\(address)?\(index)") else {
                throw BenchmarkError("\(address) is not a valid URL; check --server")
            }
            urls.append(url)
        }
        return urls
    }
}
