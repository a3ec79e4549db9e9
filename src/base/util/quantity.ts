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

const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)$/;

/** Returns true for a Kubernetes quantity such as `250m`. */
export function isQuantity(text: string | number): boolean {
  const [, , whole = '', fraction = ''] = parts.exec(String(text)) ?? [];
  return whole !== '' || fraction !== '';
}

/**
 * Returns the value of a Kubernetes quantity in thousandths, rounded up: `250m` is 250, `1Gi` is 1,073,741,824,000.
 * @throws TypeError for text that is not a quantity; the API server stores none
 * @see https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity.go
 */
export function milliValue(quantity: string | number): bigint {
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = parts.exec(String(quantity)) ?? [];
  if (whole === '' && fraction === '') throw new TypeError(`expected a quantity, got '${quantity}'`);
  const [up, down] = suffixes[suffix] ?? [1n, 1n];
  const shift = Number(exponent ?? 0) - fraction.length + 3;
  const scaled = BigInt(whole + fraction) * up * 10n ** BigInt(Math.max(shift, 0));
  const divisor = down * 10n ** BigInt(Math.max(-shift, 0));
  const value = (scaled + divisor - 1n) / divisor;
  return sign === '-' ? -value : value;
}

/**
 * Returns a quantity in the form in which the API server writes it: `0.5` is `500m`, `1000m` is `1`, and `1024Mi` is `1Gi`. Text that is not
 * a quantity is returned unchanged.
 * @see https://github.com/kubernetes/apimachinery/blob/master/pkg/api/resource/quantity.go
 */
export function canonicalQuantity(quantity: string | number): string {
  const text = String(quantity);
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] = parts.exec(text) ?? [];
  if (whole === '' && fraction === '') return text;
  const [up, down] = suffixes[suffix] ?? [1n, 1n];
  // The value in billionths, rounded up, because a quantity is not more exact.
  const shift = Number(exponent ?? 0) - fraction.length + 9;
  const scaled = BigInt(whole + fraction) * up * 10n ** BigInt(Math.max(shift, 0));
  const divisor = down * 10n ** BigInt(Math.max(-shift, 0));
  const nano = (scaled + divisor - 1n) / divisor;
  if (nano === 0n) return '0';
  const minus = sign === '-' ? '-' : '';
  const billion = 10n ** 9n;
  if (suffix.endsWith('i') && nano >= 1024n * billion)
    return (
      minus + shortened((nano + billion - 1n) / billion, 1024n, ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'])
    );
  if (exponent === undefined)
    return minus + shortened(nano, 1000n, ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']);
  return minus + shortened(nano, 1000n, ['e-9', 'e-6', 'e-3', '', 'e3', 'e6', 'e9', 'e12', 'e15', 'e18']);
}

/** Returns a quantity in the form in which the API server writes amounts of resources: rounded up to thousandths. */
export function roundedQuantity(quantity: string | number): string {
  if (!isQuantity(quantity)) return String(quantity);
  const exact = canonicalQuantity(quantity);
  return /[nu]$|e-[69]$/.test(exact) ? canonicalQuantity(`${milliValue(exact)}m`) : exact;
}

/** Divides a number by a base while it is a multiple, and appends the suffix of the power. */
function shortened(value: bigint, base: bigint, names: readonly string[]): string {
  let rest = value;
  let power = 0;
  while (rest % base === 0n && power < names.length - 1) {
    rest /= base;
    power += 1;
  }
  return `${rest}${names[power] ?? ''}`;
}
