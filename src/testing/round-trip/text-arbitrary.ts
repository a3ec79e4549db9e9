import type { Arbitrary } from 'fast-check';
import { fitsFormat, isKnownFormat } from '../../kubernetes/crd/value/string-formats.ts';
import type { Schema } from '../api/schema/schema.ts';
import type { FastCheck } from './load-fast-check.ts';

/** Longer texts find nothing that short ones do not. */
const longest = 12;

/** Texts that the schema of a string allows, mostly: whoever uses them checks them. */
export function textArbitrary(fc: FastCheck, schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER } = schema;
  const general = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + longest) });
  const matching = pattern === undefined || pattern === '' ? undefined : patternArbitrary(fc, pattern);
  const formatted = format === undefined ? undefined : formatArbitrary(fc, format);
  if (matching !== undefined)
    return matching.filter((text) => text.length >= minLength && text.length <= maxLength);
  if (formatted !== undefined) return formatted;
  const words = ['a', 'b', 'é', 'a b', 'A-1'].filter(
    ({ length }) => length >= minLength && length <= maxLength,
  );
  return words.length === 0 ? general : fc.oneof(fc.constantFrom(...words), general);
}

/** Undefined for a pattern that JavaScript, unlike RE2, cannot read, or from which texts cannot be made. */
function patternArbitrary(fc: FastCheck, pattern: string): Arbitrary<string> | undefined {
  try {
    const texts = fc.stringMatching(new RegExp(pattern, 'u'));
    fc.sample(texts, { numRuns: 1, seed: 1 });
    return texts;
  } catch {
    return undefined;
  }
}

function formatArbitrary(fc: FastCheck, format: string): Arbitrary<string> | undefined {
  const dates = fc
    .date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2099-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString());
  const digit = fc.constantFrom(...'0123456789abcdef');
  const known: Readonly<Record<string, () => Arbitrary<string>>> = {
    'date-time': () => dates.map((date) => date.replace(/\.\d+/, '')),
    datetime: () => dates.map((date) => date.replace(/\.\d+/, '')),
    date: () => dates.map((date) => date.slice(0, 10)),
    duration: () =>
      fc.tuple(fc.nat({ max: 90 }), fc.constantFrom('s', 'm', 'h', 'ms')).map((parts) => parts.join('')),
    byte: () => fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('base64')),
    uuid: () => fc.uuid(),
    uuid4: () => fc.uuid({ version: 4 }),
    ipv4: () => fc.ipV4(),
    ipv6: () => fc.ipV6(),
    cidr: () => fc.tuple(fc.ipV4(), fc.nat({ max: 32 })).map((parts) => parts.join('/')),
    hostname: () => fc.domain(),
    email: () => fc.constantFrom('a@example.com', 'b.c@example.org'),
    uri: () => fc.webUrl(),
    mac: () =>
      fc
        .array(fc.tuple(digit, digit), { minLength: 6, maxLength: 6 })
        .map((pairs) => pairs.map((pair) => pair.join('')).join(':')),
  };
  if (!isKnownFormat(format)) return undefined;
  return known[format]?.().filter((text) => fitsFormat(format, text));
}
