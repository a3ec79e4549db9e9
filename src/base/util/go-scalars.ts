/**
 * Reads an unquoted YAML text as Kubernetes' Go tools do (sigs.k8s.io/yaml). The result is mostly the text itself, but `on` is true, `0644`
 * is 420 and `1_000` is 1000. Dates stay strings. Source: go.yaml.in/yaml/v2 `resolve.go`.
 */
export function readPlainAsGo(text: string): string | number | boolean | null {
  // The map has no long texts, so skip the look-up, which would hash them.
  const word = text.length <= 5 ? words.get(text) : undefined;
  if (word !== undefined) return word;
  return (/^[-+.0-9]/.test(text) ? yaml11Number(text) : undefined) ?? text;
}

const words = new Map<string, boolean | number | null>([
  ...'y Y yes Yes YES true True TRUE on On ON'.split(' ').map((word) => [word, true] as const),
  ...'n N no No NO false False FALSE off Off OFF'.split(' ').map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...'.nan .NaN .NAN'.split(' ').map((word) => [word, NaN] as const),
  ...'.inf .Inf .INF +.inf +.Inf +.INF'.split(' ').map((word) => [word, Infinity] as const),
  ...'-.inf -.Inf -.INF'.split(' ').map((word) => [word, -Infinity] as const),
]);

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

function yaml11Number(text: string): number | undefined {
  // After a leading dot Go accepts underscores only between digits. In all other numbers Go first drops all underscores.
  if (text.startsWith('.') && /_(?!\d)|(?<!\d)_/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const based = /^([-+]?)0([xXoObB])([0-9a-fA-F]+)$/.exec(plain);
  if (based !== null) return int64(based[1], `0${(based[2] ?? '').toLowerCase()}${based[3] ?? ''}`);
  // In `0b-1`, the digits after the prefix have a sign of their own: Go parses them that way.
  const signedBinary = /^0b([-+])([01]+)$/.exec(plain);
  if (signedBinary !== null) return int64(signedBinary[1], `0b${signedBinary[2] ?? ''}`);
  const octal = /^([-+]?)0([0-7]+)$/.exec(plain);
  const octalValue = octal === null ? undefined : int64(octal[1], `0o${octal[2] ?? ''}`);
  if (octalValue !== undefined) return octalValue;
  if (!/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return undefined;
  // For Go a number too great for a double is an error, so the text stays a string.
  return Number.isFinite(Number(plain)) ? Number(plain) : undefined;
}

/** Returns the value of an integer literal. The value must fit into 64 bits: signed, or unsigned if the literal has no sign. */
function int64(sign: string | undefined, unsigned: string): number | undefined {
  let magnitude: bigint;
  const [prefix, digits] = [unsigned.slice(0, 2), unsigned.slice(2).replace(/^0+(?=.)/, '')];
  if (digits.length > 64) return undefined;
  try {
    magnitude = BigInt(`${prefix}${digits}`);
  } catch {
    return undefined; // The literal has digits that do not belong to its base, such as 0o8.
  }
  if (sign === '-') return -magnitude >= INT64_MIN ? -Number(magnitude) : undefined;
  return magnitude <= (sign === '+' ? INT64_MAX : UINT64_MAX) ? Number(magnitude) : undefined;
}
