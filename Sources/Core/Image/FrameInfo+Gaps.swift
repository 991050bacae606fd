extension [FrameInfo] {
    /// Returns whether the canvas can have transparent pixels even though all frames are opaque. The frames must lie
    /// within the canvas.
    package func leaveGaps(on canvas: PixelSize) -> Bool {
        // The transparent region before a frame is drawn; nil if there is none.
        var gap: PixelRegion? = PixelRegion(size: canvas)
        for frame in self {
            if let gap, !frame.region.covers(gap) { return true }
            switch frame.disposal {
            case .keep: gap = nil
            case .background: gap = frame.region
            case .previous: break
            }
        }
        return false
    }
}

extension PixelRegion {
    /// Returns whether another region lies within this one.
    fileprivate func covers(_ inner: PixelRegion) -> Bool {
        x <= inner.x && inner.x + inner.size.width <= x + size.width
            && y <= inner.y && inner.y + inner.size.height <= y + size.height
    }
}
