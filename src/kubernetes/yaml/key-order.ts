/**
 * The order in which Kubernetes' Go tools write the keys of a map: letters after everything else, runs of digits by
 * their value, the rest by code point. Source: go.yaml.in/yaml/v2 `sorter.go`, which sigs.k8s.io/yaml uses.
 *
 * @returns a negative number if `a` comes before `b`, a positive one if after it, 0 if they are equal
 */
export function compareYamlKeys(a: string, b: string): number {
  const left = Array.from(a);
  const right = Array.from(b);
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const l = left[i] ?? '';
    const r = right[i] ?? '';
    if (l !== r) return compareAt(left, right, i, l, r);
  }
  return left.length - right.length;
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Compares from the first place `at` where the keys differ. */
function compareAt(
  left: readonly string[],
  right: readonly string[],
  at: number,
  l: string,
  r: string,
): number {
  const leftIsLetter = letter.test(l);
  const rightIsLetter = letter.test(r);
  if (leftIsLetter && rightIsLetter) return codePoint(l) - codePoint(r);
  if (leftIsLetter || rightIsLetter) return rightIsLetter ? -1 : 1;

  // A zero inside a number counts as a digit of it, a leading zero does not: `a10` and `a1` differ, `a0` and `a` too.
  const carry = (l === '0' || r === '0') && insideNumber(left, at) ? 1n : 0n;
  const leftRun = digitRun(left, at, carry);
  const rightRun = digitRun(right, at, carry);
  if (leftRun.value !== rightRun.value) return leftRun.value < rightRun.value ? -1 : 1;
  if (leftRun.end !== rightRun.end) return leftRun.end - rightRun.end;
  return codePoint(l) - codePoint(r);
}

/** True if the digits before `at` hold one that is not zero. */
function insideNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const character = characters[i] ?? '';
    if (!digit.test(character)) return false;
    if (character !== '0') return true;
  }
  return false;
}

function digitRun(characters: readonly string[], at: number, carry: bigint): { value: bigint; end: number } {
  let value = carry;
  let end = at;
  for (; end < characters.length && digit.test(characters[end] ?? ''); end++) {
    // The Go original computes in int64, so a very long run wraps around.
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(characters[end] ?? '') - 0x30));
  }
  return { value, end };
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
