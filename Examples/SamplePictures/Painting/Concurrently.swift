/// Calls `work` for each number from 0 to `count` - 1 on all processors, and returns the results in the order of the
/// numbers.
func concurrently<Product: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) -> Product
) async -> [Product] {
    await withTaskGroup(of: (Int, Product).self) { group in
        for index in 0..<count {
            group.addTask { (index, work(index)) }
        }
        var products = [Product?](repeating: nil, count: count)
        for await (index, product) in group { products[index] = product }
        return products.compactMap { $0 }
    }
}
