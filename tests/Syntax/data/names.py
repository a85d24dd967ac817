ｗｉｄｔｈ = µ = 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 = naïve
变量.field = ª(ｋｅｙ=1)
from ａ.ｂ import ｃ as ｄ
