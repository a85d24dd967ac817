# arithmetic and the math module
import math
from math import pi, sqrt as root

print(math.sqrt(2), math.exp(1), math.log(10), math.log(8, 2), math.log2(1024), math.log10(1000), math.sin(1), math.cos(1), math.tan(1), math.atan2(1, 2))
print(math.ceil(2.1), math.floor(-2.1), math.trunc(-2.7), math.fabs(-3), math.pow(2, 0.5), math.fmod(7, 3), math.hypot(3, 4), math.gcd(12, 18), math.lcm(4, 6), math.factorial(20), math.comb(10, 3), math.isqrt(10**20), math.prod([1, 2, 3.0]))
print(math.isnan(math.nan), math.isinf(math.inf), math.isfinite(1.0), math.isclose(0.1 + 0.2, 0.3), math.copysign(1, -0.0), math.degrees(pi), math.radians(180), math.pi, math.e, math.tau, root(16))
print(math.tanh(0.5), math.erf(0.5), math.log1p(1e-10), math.expm1(1e-10), math.log(2**2000), math.log2(2**2000))
for a in [7, -7, 7.5, -7.5]:
    for b in [2, -2, 2.5]:
        print(a + b, a - b, a * b, a / b, a // b, a % b, divmod(a, b))
print(0.1 + 0.2, 1e308 * 10, 2**0.5, (-2) ** 3, -2**2, 2**-2, 1 == 1.0, 2**53 + 1 == float(2**53), 10**400 > 1e308, True + True, 3 * True)
print(7 / 2, 6 / 2, 10**30 // 7, -(10**30) // 7, 10**30 % -7, 5 // 0.3, 1_000_000, 0x1F, 0b101, 0o17, 1e3, .5, 5.)
print(1 if 0.0 else 2, round(0.5), round(1.5), round(2.5, 0), round(123.456, 1), round(-123.456, -1), round(5), int(1e20), int(-0.9))
x = 10
x += 5; x -= 3; x *= 2; x //= 5; x **= 3; x %= 50; x <<= 2; x |= 1; x ^= 3; x &= 0xFF; x >>= 1
print(x)
y = 7
y /= 2
print(y, (3.0).is_integer(), (10).bit_length())
