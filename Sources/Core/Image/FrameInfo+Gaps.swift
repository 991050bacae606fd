extension [FrameInfo] {
    /// Whether a pixel of the canvas can be transparent though those of all frames are opaque. All frames are inside
    /// the canvas.
    package func leaveGaps(on canvas: PixelSize) -> Bool {
        // What is transparent before a frame is drawn; nil when nothing is.
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
    /// Whether all of another region is in this one.
    fileprivate func covers(_ inner: PixelRegion) -> Bool {
        x <= inner.x && inner.x + inner.size.width <= x + size.width
            && y <= inner.y && inner.y + inner.size.height <= y + size.height
    }
}
