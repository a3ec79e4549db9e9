import fc from 'fast-check';
import type { JSONSchemaProps } from '../../../src/compiler/schema/index.ts';
import type { Random } from '../random.ts';

/** A value of each format that the API server checks. Source: `supportedVersionedFormats` of apiextensions, k8s.io/kube-openapi/pkg/validation/strfmt. */
const byFormat: Record<string, string> = {
  bsonobjectid: '507f1f77bcf86cd799439011',
  uri: 'https://example.com/path',
  email: 'someone@example.com',
  hostname: 'host.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  mac: '00:00:5e:00:53:01',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uuid3: '123e4567-e89b-32d3-a456-426614174000',
  uuid4: '123e4567-e89b-42d3-a456-426614174000',
  uuid5: '123e4567-e89b-52d3-a456-426614174000',
  isbn: '9783161484100',
  isbn10: '316148410X',
  isbn13: '9783161484100',
  creditcard: '4111111111111111',
  ssn: '111-22-3333',
  hexcolor: '#ff0000',
  rgbcolor: 'rgb(1,2,3)',
  byte: 'aGVsbG8=',
  password: 'secret',
  date: '2024-02-29',
  duration: '1h30m',
  'date-time': '2024-02-29T12:00:00Z',
  datetime: '2024-02-29T12:00:00Z',
  'k8s-short-name': 'a-name',
  'k8s-long-name': 'a-name.example.com',
};

/** What patterns of CRDs usually describe. */
const usual = [
  ...[
    'a',
    'abc',
    'a-b',
    'A',
    'Abc',
    '1',
    '10',
    '0',
    '1Gi',
    '100m',
    '1h',
    '10s',
    '5m',
    '50%',
    'true',
    'a.b',
    'a/b',
  ],
  ...[
    'a.example.com',
    'http://a.example.com',
    'https://a.example.com/b',
    '10.0.0.1',
    '10.0.0.0/8',
    '/a',
    '/a/b',
  ],
  ...[
    '1.2.3',
    'v1.2.3',
    'arn:aws:iam::123456789012:role/a',
    '2024-02-29T12:00:00Z',
    'a=b',
    'a:b',
    '*',
    '#',
    '',
  ],
  ...['ab-1234567890', 'AB', '0xff', 'aaaaaaaaaaaaaaaa', '0123456789abcdef0123456789abcdef'],
];

/** A string for the schema; where no string can be found that its pattern takes, one that it does not take. */
export function stringFor(schema: JSONSchemaProps, random: Random): string {
  const { format, minLength = 0, maxLength = Infinity, pattern } = schema;
  const fits = (text: string): boolean =>
    [...text].length >= minLength && [...text].length <= maxLength && matches(pattern, text);
  const known = format === undefined ? undefined : byFormat[format];
  if (known !== undefined && fits(known)) return known;
  const candidates = pattern === undefined ? [] : [...random.shuffle(usual), ...madeFrom(pattern, random)];
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  const text = random.pick(['some text', 'ü — 😀', 'x', 'true', '0123']);
  const padded = [...text.padEnd(minLength, 'x')].slice(0, maxLength === Infinity ? undefined : maxLength);
  return padded.join('');
}

/** Whether RE2 and JavaScript agree is not the question here: a pattern that only RE2 reads takes everything. */
export function matches(pattern: string | undefined, text: string): boolean {
  const expression = pattern === undefined ? undefined : expressionOf(pattern);
  return expression === undefined || expression.test(text);
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function madeFrom(pattern: string, random: Random): string[] {
  const expression = expressionOf(pattern);
  if (expression === undefined) return [];
  try {
    return fc.sample(fc.stringMatching(expression, { maxLength: 64 }), {
      seed: random.integer(0, 2 ** 31 - 1),
      numRuns: 5,
    });
  } catch {
    // Assertions inside of the expression: the generator does not know them.
    return [];
  }
}
