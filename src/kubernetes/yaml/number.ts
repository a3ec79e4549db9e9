const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * A JSON number as sigs.k8s.io/yaml writes it: whole numbers that fit 64 bits in full, all others in the form of Go's
 * `%g` (`1e-05`, `7.5e+09`, `1234.5`).
 *
 * @throws TypeError for NaN and the infinities, which JSON does not have
 */
export function yamlNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`cannot write ${value} as YAML: JSON has no such number`);
  if (Object.is(value, -0)) return '0';
  const text = String(value);
  if (/^-?\d+$/.test(text)) {
    const whole = BigInt(text);
    if (whole >= INT64_MIN && whole <= UINT64_MAX) return text;
  }
  return goFloat(value);
}

/** Go's `strconv.FormatFloat(value, 'g', -1, 64)`: the shortest digits; an exponent of at least two digits below 1e-4 and from 1e6 on. */
function goFloat(value: number): string {
  const [mantissa = '', exponentText = ''] = Math.abs(value).toExponential().split('e');
  const sign = value < 0 ? '-' : '';
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 6) {
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  const digits = mantissa.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
