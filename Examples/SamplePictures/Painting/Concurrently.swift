/// Returns the results of `work` for each number below `count`, in order, computed on all processors.
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
