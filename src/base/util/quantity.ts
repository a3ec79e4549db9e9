/** Factors of the suffixes of quantities, as a fraction: `[numerator, denominator]`. */
const suffixes: Readonly<Record<string, readonly [bigint, bigint]>> = {
  n: [1n, 10n ** 9n],
  u: [1n, 10n ** 6n],
  m: [1n, 1000n],
  '': [1n, 1n],
  k: [1000n, 1n],
  M: [10n ** 6n, 1n],
  G: [10n ** 9n, 1n],
  T: [10n ** 12n, 1n],
  P: [10n ** 15n, 1n],
  E: [10n ** 18n, 1n],
  Ki: [1n << 10n, 1n],
  Mi: [1n << 20n, 1n],
  Gi: [1n << 30n, 1n],
  Ti: [1n << 40n, 1n],
  Pi: [1n << 50n, 1n],
  Ei: [1n << 60n, 1n],
};

/**
 * Returns the value of a Kubernetes quantity in thousandths, rounded up: `250m` is 250, `1Gi` is 1,073,741,824,000.
 * @throws TypeError for text that is not a quantity; the API server stores none
 * @see https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity.go
 */
export function milliValue(quantity: string | number): bigint {
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(String(quantity)) ?? [];
  if (whole === '' && fraction === '') throw new TypeError(`expected a quantity, got '${quantity}'`);
  const [up, down] = suffixes[suffix] ?? [1n, 1n];
  const shift = Number(exponent ?? 0) - fraction.length + 3;
  const scaled = BigInt(whole + fraction) * up * 10n ** BigInt(Math.max(shift, 0));
  const divisor = down * 10n ** BigInt(Math.max(-shift, 0));
  const value = (scaled + divisor - 1n) / divisor;
  return sign === '-' ? -value : value;
}
