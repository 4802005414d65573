#if JXL
import Foundation

/// Small files encoded by libjxl 0.7, with features that Easel's encoder does not write. Base64.
enum JXLSamples {
    /// 8 x 8, three loops: red, green, blue 4 x 4 at 2, 1 on green, white, black 4 x 4 there; 5, 40, 100, 250 and 40
    /// ms.
    static let animation = decode(
        """
        /wpBBKNBTAgCFggAAFwASxiLFcJJAuYFIgDY//7QAAAAAAAAAAAIAqIIAABYAEsYixXCSUFeIAIA/fcDAAAAAAAAAAAIIgQIQAAB\
        SSYAADwASxiLFcJJQV4gAgD6AwAACALqCwAAVABLGIsVwklBXiACgP4AAAAAAAAAAAAIIgQIQAABiRIAJABLGIsVggtEAAA=
        """)

    /// 4 x 4, premultiplied: 100, 50, 0 under an alpha of 128.
    static let premultiplied = decode(
        """
        /woYEDCAIqgECAgQAFAASxiLFcIJY1zg/wISAAzZMf0+AAA=
        """)

    /// 4 x 4 of 16 bits: red 200 and green 100 of 255, blue grows from 0 by 16.
    static let deep = decode(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABLanhsY/8KGBD8QAIIAgEA2ABLGIsVQgJk3gCcegcQ\
        h4wEAOwY+WBHAUABwChrpSBR/vj7A4CnOwYcSH4AMFoTbA+8DhkJAAA=
        """)

    /// 272 x 40 in passes: red grows to the right, blue downwards, green to both sides. Nearly all data is in the
    /// first pass.
    static let passes = decode(
        """
        /wo4AR4OABOIBgDkQDsgAAkYANNBCQCACpVRxg1ezvV8+aHDYtrGdYa22rawhLHZXhgkTIEChaJ0It0AwIixjpGN8aQklTEzxuBM\
        AY0wwpIEEFC6YRHtAdH/8fxPP4OMyFjDIEIUgDQhQNSCX2XgFaR58WPctco0QrtmoRaAdoH8+e3my/cswa4QIA2fP8pdyFoMekGN\
        2NzS4N7L/Eonff6NB8NmxAuIzM4gN/Tw4WfrxM587KUsRmIG/Lk1cyiu8E1nwdmNBpSPNYllAU7L7lGuHRi4EEmmn3XbmANuKcru\
        7f3+YyEvI26Ail7ZhKfPHumM128TiWUF0ey/pYTIG4lFaDLYWJKwMABEIPwctxCgb45L6EDxLwQ1AajlBIKuGETgCgBgEKUEAypG\
        SEJhcQgeakpsf8AyAimkoDMM4agA7L8jAab9gjVHMC2ORiBJbrqlDvjrHJwEN+zFMI6q13f0ooAz8tniEkDQ
        """)

    /// 5 x 3 as stored, by orientation: red grows by 50 to the right, green by 100 downwards.
    static let turned = [
        1: decode("/woQUBAJCAIBAIQASygkxkVBQcIBY5tw1AfYiwGAq7GxsfGR8EhIR44cORIA"),
        2: decode("/woQUAPEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        3: decode("/woQUAXEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        4: decode("/woQUAfEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        5: decode("/woQUAnEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        6: decode("/woQUAvEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        7: decode("/woQUA3EBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        8: decode("/woQUA/EBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
    ]

    /// 4 x 4 of 16 bits, lossless, BT.2020: red grows from 20,000 by 3,000 to the right, green from 10,000 by 5,000
    /// downwards, blue is 40,000.
    static let perceptualQuantizer = decode(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABManhsY/8KGBABPwB59IjDAQAAACAIAgEAuABLGJvtTkFB\
        Qgpk3gBQ+Q+w94A4AID74eR2uV1uN4iDQRwM4uB+OIW7wl3hDgAA
        """)
    /// The same values in HLG.
    static let hybridLogGamma = decode(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABManhsY/8KGBABPwB5BgI9BgAAAIAIAgEAuABLGJvtTkFB\
        Qgpk3gBQ+Q+w94A4AID74eR2uV1uN4iDQRwM4uB+OIW7wl3hDgAA
        """)

    /// 8 x 4 of 16 bits, lossless. Frames 0 and 2 are whole, and frame 1 has 4 x 2 pixels at 2, 1 on frame 0; at x, y
    /// of frame n the red is 10,001 + 1,111x + 3n, the green 20,002 + 777y, the blue 60,000 - 12,345n.
    static let deepAnimation = decode(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABZanhscAAAAAD/ChhwQRMAfmACCAIJAADwAEsYm+1OQUFC\
        CrTOANDjtwOIj4gDSEJAEgKSEPD5cABFCChCQBECLsSZK+aKuWKumCvmirmiCAFFCChCAAAAAERqeGxwAAAAAQgiBAhAgAApAAAArABL\
        GIsVCiUn2nkACGP7BOsA4oo4eAmVswUsgjAI+Q1nnNdX9BWTjquSmwcLAAAATWp4bHCAAAACCAIOBADoAEsYm+1OQUGSWBytuThdDv+w\
        HUD8RByQBCAJQBKAh3mAIgBFAIoAXIXP1VzN1VzN1VzNVRGAIgBFAAA=
        """)

    /// Animations of a few pixels and two to six frames with every feature of frame headers: crops, blending,
    /// references, timecodes, hidden frames, extra channels, in boxes and without.
    static let animations = [
        decode(
            "/wooACZIxnARAQAQZHJLCCImKEBARQIAABwASxLFgoUkDAgiBASwAMZhUMMAAAIAPABLEsWCBVIsEf5PAAZxahQIJAKUMAKCEAA0AEsYixWAHeJ/COjecCg="
        ),
        decode("/wpgAARYmkDDRQQAQFDcEgiCD2oYACAAABwASxLFgoUkDAgiGRSAAMR9UMMAgAAAPABLEqVCBVIsEfwHYJw3QwE="),
        decode("/woAACJIekElAopWAgiCiNweAAAgAABAAEsSxYKFJFIVqBeIAEAEAAAIQiQXAAAQAEAASxiLFUI54V8gAoCVUAgAAA=="),
        decode("/wpoEMO/1AEACgWIiQQIAgkAAEwASxiLFYAdrP8CEQAQ7VMAKBCDQAgiJRTQgIA4EABEAEsgHCWkLgQiAJBQUl4NAAAA"),
        decode("/woYABgY/qUOAAQE5HGFBAhCOmAAAFQASxLFgoUkUhWoF4gAQAQAAAAAAAAACAIFAFQASxiLFUI54V8gAoCVUAgAAAAAAAAA"),
        decode(
            "/woIAAg4eoEBw0UEAEBAcUkIIg1w0MADiywAAFgASxKlQgVSIC1jDJ4zxjwAoaLtAoA7fwjCSAAARABLEqVChSTSJsD7ACwAegAAAA=="),
        decode(
            "/woYMEcvMKDAguKXCAhyucgEAEAASxiLFVJMWABfQAIAbQEAAAgI16sDBABEAEsYixVCOeFfQAKAlVAoBAAACAjDhw9qGAAwDwMxkwtrKzuZA3ELaysDAEwASxLFgoUkEieo/AISAExDCAAAAA=="
        ),
        decode(
            "/wpQACBYmkDDRQQARFCBlpiMBAgCIvMBAAAQAAAcAEsSxYKFJAwIwq2MAAAAAACkAEsSkGKJcH0y8OaIoKqK8aeqqjrpoqqqiumhqqrK7a+qqtowo0quC7MBCCQVaCCChzlAJQAAIAAAPABLEsWCBVIsmf8HcLy5mQIIIiU0cABEOIARAAAQADQASxiLFYAdtn8u6AItvA=="
        ),
    ]

    private static func decode(_ text: String) -> Data {
        Data(base64Encoded: text) ?? Data()
    }
}
#endif
