import { describe, expect, test } from 'vitest';
import { checkCrd, type Violation } from '../../../../src/kubernetes/crd/index.ts';
import { severityOf } from '../../../../src/base/errors/index.ts';

interface Changes {
  readonly spec?: object;
  readonly version?: object;
  readonly metadata?: object;
  readonly description?: string;
}

function judged({ spec, version, metadata, description }: Changes): readonly Violation[] {
  const port = { type: 'integer', ...(description === undefined ? {} : { description }) };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { host: { type: 'string' }, 'the-port': port } } },
  };
  return checkCrd({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { ...metadata },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Site', plural: 'sites' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
      ...spec,
    },
  });
}

const codes = (changes: Changes): readonly string[] => judged(changes).map(({ code }) => code);
const selecting = (jsonPath: string): Changes => ({ version: { selectableFields: [{ jsonPath }] } });
const converting = (url: string): Changes => ({
  spec: {
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] },
    },
  },
});

test('a definition with nothing wrong', () => expect(judged({})).toEqual([]));

// Whether the API server agrees, test/control-plane/compiler/manifests/verdicts.slow.test.ts asks it.
describe('what the API server accepts is not a violation', () => {
  test.each<[string, Changes]>([
    ['a selectable field with a dash', selecting('.spec.the-port')],
    ['an empty fragment', converting('https://h/#')],
    ['an empty query', converting('https://h/?')],
    ['a port', converting('https://[::1]:8443/convert')],
    ['a label of 70 characters in a group', { spec: { group: `${'a'.repeat(70)}.example.com` } }],
    ['null where nothing is', { version: { selectableFields: null, subresources: null } }],
  ])('%s', (_title, changes) => expect(judged(changes)).toEqual([]));
});

describe('what it refuses has a code and a path', () => {
  test.each<[string, Changes, string, Violation['path']]>([
    [
      'array notation in a selectable field',
      selecting(".spec['the-port']"),
      'crd/selectable-field',
      ['spec', 'versions', 0, 'selectableFields', 0, 'jsonPath'],
    ],
    [
      'a URL without a host',
      converting('https:///x'),
      'crd/conversion',
      ['spec', 'conversion', 'webhook', 'clientConfig', 'url'],
    ],
    [
      'a user that is empty',
      converting('https://@h/'),
      'crd/conversion',
      ['spec', 'conversion', 'webhook', 'clientConfig', 'url'],
    ],
    [
      'a group that is too long',
      { spec: { group: `${'a'.repeat(250)}.com` } },
      'crd/group',
      ['spec', 'group'],
    ],
    ['another name', { metadata: { name: 'pages.example.com' } }, 'crd/name', ['metadata', 'name']],
    ['a value of the wrong type', { spec: { scope: ['Cluster'] } }, 'crd/form', ['spec', 'scope']],
  ])('%s', (_title, changes, code, path) => {
    expect(judged(changes)).toContainEqual(expect.objectContaining({ code, path }));
  });

  test('all of it is said at once', () => {
    const changes = { ...selecting('.spec.none'), spec: { group: 'x', names: { kind: 'a b', plural: 'A' } } };
    expect(codes(changes)).toEqual(['crd/group', 'crd/kind', 'crd/name', 'crd/selectable-field']);
  });
});

describe('the size is that of the JSON which etcd holds', () => {
  test.each([
    [1_300_000, []],
    [1_400_000, ['crd/nearly-too-large']],
    [1_600_000, ['crd/too-large']],
  ])('%d bytes of description', (length, expected) => {
    expect(codes({ description: 'x'.repeat(length) })).toEqual(expected);
  });

  test('beyond the limit it is an error, near it a warning', () => {
    expect(severityOf('crd/too-large')).toBe('error');
    expect(severityOf('crd/nearly-too-large')).toBe('warning');
  });

  test('what servers add is not counted', () => {
    const annotation = { managedFields: [{ fieldsV1: { x: 'y'.repeat(1_600_000) } }] };
    expect(codes({ metadata: annotation })).toEqual([]);
  });
});
