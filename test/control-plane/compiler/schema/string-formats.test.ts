// What we say of strings and formats is what the API server says of defaults.
import { beforeAll, expect, test } from 'vitest';
import { fitsFormat } from '../../../../src/kubernetes/objects/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { sharedControlPlane, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let controlPlane: SharedControlPlane;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
});

const formats = [
  ...['bsonobjectid', 'byte', 'cidr', 'creditcard', 'date', 'date-time', 'datetime', 'duration', 'hexcolor'],
  ...[
    'hostname',
    'ipv4',
    'ipv6',
    'isbn',
    'isbn10',
    'isbn13',
    'k8s-long-name',
    'k8s-short-name',
    'mac',
    'password',
  ],
  ...['rgbcolor', 'ssn', 'uuid', 'uuid3', 'uuid4', 'uuid5', 'email', 'uri'],
];
/** Of these only what is surely wrong is refused here. */
const partly = ['email', 'uri'];

const values = [
  ...[
    '',
    ' ',
    'a',
    'A',
    'foo',
    'Foo_Bar',
    'foo-bar',
    '-foo',
    'foo-',
    'foo.bar',
    'foo.b',
    'foo..bar',
    'foo.bar.',
    'é.example',
    '☃',
    'a_b.c',
  ],
  ...[
    'a'.repeat(63),
    'a'.repeat(64),
    `${'a'.repeat(63)}.${'b'.repeat(63)}`,
    `${'a.'.repeat(126)}aa`,
    `${'a.'.repeat(127)}aa`,
    '1',
    '123',
    '1.2',
    '1.example',
  ],
  ...[
    '2026-01-02',
    '2026-1-2',
    '2026-02-29',
    '2024-02-29',
    '1900-02-29',
    '2000-02-29',
    '2026-13-01',
    '2026-04-31',
    '2026-00-10',
    '0000-01-01',
  ],
  ...[
    '2026-01-02T15:04:05Z',
    '2026-01-02t15:04:05z',
    '2026-01-02T15:04:05',
    '2026-01-02T15:04:05.123Z',
    '2026-01-02T15:04:05+02:00',
  ],
  ...[
    '2026-01-02T24:04:05Z',
    '2026-01-02T15:60:05Z',
    '2026-01-02T15:04:60Z',
    '2026-01-02 15:04:05Z',
    '2026-01-02T15:04:05+0200',
    '2026-01-02T15:04:05,5Z',
    '2026-02-30T15:04:05Z',
  ],
  ...[
    '5m',
    '1h30m',
    '-5m',
    '+1.5h',
    '1.h',
    '.5s',
    '.s',
    '0',
    '00',
    '5',
    '5 minutes',
    '3 days',
    '2 weeks',
    '1 fortnight',
    '1month',
    '1mo',
    '1y',
    '5 M',
    '1µs',
    '1μs',
    '1us',
    '1hours',
    'P1D',
    '1h 30m',
    '1h,x',
    '1e3s',
    '9999999999h',
  ],
  ...['YQ==', 'YWI=', 'YWJj', 'YWJj\n', 'YQ', '-_==', '????', 'YWJjZA==', 'YQ=='.repeat(2)],
  ...[
    '1.2.3.4',
    '01.02.03.04',
    '1.2.3.004',
    '1.2.3',
    '1.2.3.256',
    '0001.2.3.4',
    '1.2.3.4.5',
    '::',
    '::1',
    '::ffff:1.2.3.4',
    '::ffff:01.2.3.4',
    'fe80::1%eth0',
    '2001:db8::g',
    '2001:db8:0:0:0:0:0:1',
    '12345::',
    '00001::',
  ],
  ...[
    '10.0.0.0/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '010.0.0.0/8',
    '10.0.0.0',
    '::/0',
    '::/128',
    '::/129',
    '::ffff:10.0.0.0/104',
    '10.0.0.1/',
  ],
  ...[
    '00:11:22:33:44:55',
    '00-11-22-33-44-55',
    '0011.2233.4455',
    '001122334455',
    '00:11:22:33:44',
    '00:11:22:33:44:5',
    '00:11:22:33:44:55:66:77',
    '00:11-22:33:44:55',
    '0011.2233.4455.6677',
    'gg:11:22:33:44:55',
  ],
  ...[
    'f',
    'fff',
    '#fff',
    '#ffff',
    '#ffffff',
    'ffffff',
    '#ggg',
    'rgb(1,2,3)',
    'rgb( 0 , 255 , 99 )',
    'rgb(256,0,0)',
    'rgb(01,0,0)',
    'rgb(1,2)',
    'RGB(1,2,3)',
    'rgb(1,2,3) ',
  ],
  ...[
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111111111111112',
    '378282246310005',
    '30569309025904',
    '6011111111111117',
    '3530111333300000',
    'x4111111111111111',
  ],
  ...[
    '0-306-40615-2',
    '0306406152',
    '0306406153',
    '080442957X',
    '080442957x',
    '978-0-306-40615-7',
    '9780306406157',
    '9780306406158',
    '978 0 306 40615 7',
  ],
  ...['123-45-6789', '123 45 6789', '123456789', '123-456789', '12-345-6789', '1234-5-6789'],
  ...[
    '507f1f77bcf86cd799439011',
    '507F1F77BCF86CD799439011',
    '507f1f77bcf86cd79943901',
    '507f1f77bcf86cd79943901g',
  ],
  ...[
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    'F47AC10B58CC4372A5670E02B2C3D479',
    'f47ac10b-58cc-3372-a567-0e02b2c3d479',
    'f47ac10b-58cc-5372-a567-0e02b2c3d479',
    'f47ac10b-58cc-4372-c567-0e02b2c3d479',
    'f47ac10b-58cc-1372-a567-0e02b2c3d479',
    'f47ac10b-58cc-4372-a567-0e02b2c3d47',
  ],
  ...[
    'a@b',
    'Jo <jo@example.com>',
    '<a@b>',
    'a@',
    '@b',
    'a b@c',
    '"a b"@c',
    'a@b@c',
    ' a@b ',
    'a@b.',
    'a..b@c',
  ],
  ...[
    'http://example.com',
    'http://',
    'http:',
    'mailto:a@b',
    '/path',
    'path',
    './path',
    '*',
    'a:b',
    'http://ex ample.com',
    'http://example.com/a b',
    '1http://x',
    'http://[::1',
    'http://example.com:port',
    'http://x/%zz',
    '//host/path',
    'http://x\u0001',
    '?query',
    '#fragment',
    'urn:x:y',
    ':x',
    'h:',
  ],
];

/** The values whose default the API server refuses. */
async function refused(format: string): Promise<readonly string[]> {
  const properties = Object.fromEntries(
    values.map((value, index) => [`v${index}`, { type: 'string', format, default: value }]),
  );
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  };
  const { status, text } = await apiRequest(controlPlane, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'samples.formats.example.com' },
      spec: {
        group: 'formats.example.com',
        scope: 'Namespaced',
        names: { kind: 'Sample', plural: 'samples' },
        versions: [version],
      },
    },
  });
  if (status === 201) return [];
  const { details } = JSON.parse(text) as { details: { causes: readonly { field: string }[] } };
  const indexes = details.causes.map(({ field }) => {
    const index = /properties\[v(\d+)\]\.default$/.exec(field)?.[1];
    if (index === undefined) throw new Error(text);
    return Number(index);
  });
  return [...new Set(indexes)].sort((a, b) => a - b).map((index) => values[index] ?? '');
}

/** Formats that Kubernetes 1.34 brought. */
const late = ['k8s-short-name', 'k8s-long-name'];

test.for(formats)('%s', async (format, { skip }) => {
  skip(late.includes(format) && isServerOlderThan('1.34'), 'the server ignores the format');
  const theirs = await refused(format);
  const ours = values.filter((value) => !fitsFormat(format, value));
  if (partly.includes(format)) {
    expect(ours.length).toBeGreaterThan(5);
    expect(theirs).toEqual(expect.arrayContaining(ours));
  } else {
    expect(ours).toEqual(theirs);
  }
});

test('formats that the API server does not know restrict nothing', () => {
  expect(fitsFormat('foo', 'anything')).toBe(true);
  expect(fitsFormat('constructor', 'anything')).toBe(true);
});
