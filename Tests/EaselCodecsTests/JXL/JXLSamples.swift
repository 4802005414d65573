#if JXL
import Foundation

/// Small files made with libjxl 0.7, of what our own encoder does not write. Base64.
enum JXLSamples {
    /// 8 x 8, played three times: red, green, a blue square of 4 at 2, 1 on green, white, a black square there, for 5, 40, 100, 250 and 40 ms.
    static let animation = decoded(
        """
        /wpBBKNBTAgCFggAAFwASxiLFcJJAuYFIgDY//7QAAAAAAAAAAAIAqIIAABYAEsYixXCSUFeIAIA/fcDAAAAAAAAAAAIIgQIQAAB\
        SSYAADwASxiLFcJJQV4gAgD6AwAACALqCwAAVABLGIsVwklBXiACgP4AAAAAAAAAAAAIIgQIQAABiRIAJABLGIsVggtEAAA=
        """)

    /// 4 x 4, premultiplied: 100, 50, 0 under an alpha of 128.
    static let premultiplied = decoded(
        """
        /woYEDCAIqgECAgQAFAASxiLFcIJY1zg/wISAAzZMf0+AAA=
        """)

    /// 4 x 4 of 16 bits: red 200 and green 100 of 255, blue grows from 0 by 16.
    static let deep = decoded(
        """
        AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABLanhsY/8KGBD8QAIIAgEA2ABLGIsVQgJk3gCcegcQ\
        h4wEAOwY+WBHAUABwChrpSBR/vj7A4CnOwYcSH4AMFoTbA+8DhkJAAA=
        """)

    /// 512 x 320 in passes: red grows to the right, blue downwards, green to both sides. Nearly all of it is the first
    /// pass.
    static let passes = decoded(
        """
        /wr4Cf4PABOIBgDkkTqAAWiABCCAAdNBCQCACpVRxg1ezvV8+aHDYtrGdYa22rawAKjs2iVjwgIAYh6gKgN4pAbPYhT6tHzLPl3z\
        KxRdM4Dw2CbsyRtE8IdBRwLgAQcCZdIiiRIlYmSkYGRVKMjMxyALKBCjHKMaYx1jG6NYK2GkYowZY9wYzPgYvC3foUQNQJ8OgX75\
        5PEzwPOA5bhlD44SCtiUsfsV/FWQIagfIOIgwkMEkKNDps/bmzuV3t2mNDUSvHNqAsxuODVVkgN37VIFtVC0c0EVA1irXBqkyBzD\
        uMH5DkEfMvzvF/jYQAe0fErCB85AEvj4wVr4quAY0SWXFKDmHIamwwpfiq4QaXwFbYFyDPsSqNqFGiptLbm/5ZkYHSKSUtCOSt9Y\
        j3VmbJEpsWHp1PI3J7ikAWR6MWxFs9VDgjTaIhqeYujyDS3nr40j9sTQOaUdN+Lj7XV0ocedoSGlxH61Bahs0mHaSrp8IBTG8SbC\
        52gbaYUPte6bC/z7ECnXddCOq3+Hc9PX4hBulrNVaZsxNsbGO4JK1ExhUyakXuncyksZKuVU/NFUuNOmUQEN5YVgXI1nOlh6QaSR\
        eGsjKMqF/S2BYHTU9ULbttF4p/eysQjKPD4QRCNzL9K5EZdqvj45yCLh8K+slBlAxk69gKkea1me1uSaYbHPh/TiFzYKTy3Xljlm\
        SUGwbprPfc5wXWjN+Im1LPFkJEPoE7yWsv3YzE37UMSVH2mumllrzgdAOit9P5YJ9pun/HNkI8Xvk/H2P0EAQcSAWITIgQh9vv2/\
        d8coCyAHMhgxaCbHoKBAkY9Bq8GfQahHdsHwg2MFJ/nnbT0IDq1HUe6NnIEZT9KkajafZXJ+xjYpCwy6Iv4aTO7AZlZsF+7EWix5\
        YLWGFb54e+9WoCIjqeh0g5zYouSbXOfZv5tEJAWrowykQtJ8hrwlJmAHAlK29fY+asXSnLLSaWgzFIWdpQhQACWSJb/qhvM62Zqw\
        BZlllVE7NzUozppCN+18fcmvcgyRdHPCCrr6P8abg36bCnxChLFMYIAyKDt2aFEZL6KuLwaXY1DhN6AuT21grj9jpwf7av0LAp10\
        M34Lwwaf4qjVVmuccEvpj+0+oWISyLC1lWfQJB8FsRGxhrk+geBQmXCjM2PUmXPWmWJiY7zwLKEJet/soWQVYINL634yFgx0U3GR\
        rj7IU1NiGNy7xfqUXydCD4S3/yFCUmE2EKXUGTkEOSA5gMGM4gu/rYcimHGM9MiuIicsWchB15xrNjkL3DAugSJhubLBjJXca9Cl\
        hT2LSKvpdLp0C4SvJ9LZUtzWs+xOgUaPOnJc1MEn1uGOlqIMPSwumpdOWIQwWNHd4vxnKwccPdVhXNJQTytZwImEannUtPOR+Xn8\
        kn0JVpsq5OCwb8wTZChvclA2Q0BGLu61VcFz3HWoEiqV965DW6YPtudDUS3FDc9vkNRCd9u6A8UFQMezWMkvsuHjF80Qunig9z7B\
        rh3j4N/v8RSc+2ovC80po+/V2+obEsDdyIpjavT5ZXZmtr++ULZYeCYy83FIR1DrdcKt8yo7nQfP5S6YkQwh6/1uvwhhmHz93Aaj\
        mwEMHnIRLtezkKWT+XSiy88j5HGWn8W7RQOu62ZIJMneT5XtEwtNsGnrN6Pr/0fcVtvKwEeH4Giz9ZAstf2B1P2xio08Rt7vo4pn\
        mUoKW0KYr0RP5+Ha6a7KOlA0NyLQJdnSs3RUKJWRLcOYPTAtdPkPfpfBw2N9HVW9jeRiZWeWdJ2K0usAQvWn0Ss4DxlExREocDv1\
        C+cY5uchcBVbQx4iOy1A8QSj7B4nMGFw+T9SYIDi0cNK6lVVVVVVVVVVVVU02NIPTVkAUUiB4ToJhXCBAXDasIKAmWdlF8NmYQHV\
        XLqBuyBI6GJbEhMC4jg7nE65Wrx7Dgu4MK5nMOIG+FLoYrNKcgAwrg==
        """)

    /// 5 x 3 as stored, by their orientation: red grows by 50 to the right, green by 100 downwards.
    static let turned = [
        1: decoded("/woQUBAJCAIBAIQASygkxkVBQcIBY5tw1AfYiwGAq7GxsfGR8EhIR44cORIA"),
        2: decoded("/woQUAPEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        3: decoded("/woQUAXEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        4: decoded("/woQUAfEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        5: decoded("/woQUAnEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        6: decoded("/woQUAvEBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        7: decoded("/woQUA3EBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
        8: decoded("/woQUA/EBAgCAQCEAEsoJMZFQUHCAWObcNQH2IsBgKuxsbHxkfBISEeOHDkSAA=="),
    ]

    private static func decoded(_ text: String) -> Data {
        Data(base64Encoded: text) ?? Data()
    }
}
#endif
