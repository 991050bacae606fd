public import Calotype

extension Plugin {
    /// The transformers of this module, which recipes call by name.
    public static let transformers = Plugin(name: "Transformers") { registry in
        let types: [any RecipeTransformer.Type] = [
            CropTransformer.self, TrimTransformer.self, ExtendTransformer.self, FlipTransformer.self,
            RotateTransformer.self, RoundedCornersTransformer.self, CircleTransformer.self, BlurTransformer.self,
            SharpenTransformer.self, PixelateTransformer.self, GrayscaleTransformer.self, SepiaTransformer.self,
            InvertTransformer.self, BrightnessTransformer.self, ContrastTransformer.self, GammaTransformer.self,
            ExposureTransformer.self, SaturationTransformer.self, HueTransformer.self, DuotoneTransformer.self,
            ColorMatrixTransformer.self, TintTransformer.self, GradientTransformer.self, FlattenTransformer.self,
            OverlayTransformer.self, MaskTransformer.self,
        ]
        // The newest is asked and listed first.
        for type in types.reversed() { registry.transformers.add(type) }
    }
}
