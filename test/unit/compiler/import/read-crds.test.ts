import { describe, expect, it } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { compareCrds, readCrds, uniqueCrds } from '../../../../src/kubernetes/crd/index.ts';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';
import { crdOf, specOf } from './crd-fixture.ts';

const crd = crdOf(specOf({ type: 'object' }));

function findingsOf(run: () => unknown): readonly { readonly code: string; readonly message: string }[] {
  try {
    run();
  } catch (error) {
    if (isOpSdkError(error)) return error.findings;
    throw error;
  }
  return [];
}

/** The CRD with one thing changed, as text. */
function broken(change: (document: object) => void): string {
  const copy = structuredClone(crd);
  change(copy);
  return JSON.stringify(copy);
}

describe('reading', () => {
  it('takes YAML, JSON, several documents and lists, and names what else is there', () => {
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    const list = { apiVersion: 'v1', kind: 'List', items: [crd, config] };
    const text = `${toYaml(config)}---\n${JSON.stringify(list)}\n---\nplain text\n`;
    const read = readCrds(text, 'all.yaml');
    expect(read.crds.map(({ crd: { metadata } }) => metadata.name)).toEqual(['sample0s.example.com']);
    expect(read.others).toEqual(['ConfigMap settings', 'ConfigMap settings', 'a document without a kind']);
  });

  it('gives the place of the definition', () => {
    const [read] = readCrds(`kind: ConfigMap\n---\n${toYaml(crd)}`, 'a.yaml').crds;
    expect(read?.where).toMatchObject({ file: 'a.yaml', line: 3 });
  });

  it('passes over patches, and over what other objects say', () => {
    const patch = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'samples.example.com' },
      spec: { conversion: { strategy: 'Webhook' } },
    };
    const other = 'kind: DaemonSet\nspec: {mode: 0644, on: yes, many: 9223372036854775807}\n';
    const read = readCrds(
      `${toYaml(patch)}---\n${other}---\n${toYaml(crdOf(specOf({ type: 'object' })))}`,
      'a.yaml',
    );
    expect(read.others).toEqual(['a patch of CustomResourceDefinition samples.example.com', 'DaemonSet']);
    expect(read.crds).toHaveLength(1);
    expect(() => readCrds(`kind: List\nitems: [{mode: 9223372036854775807}]`, 'a.yaml')).toThrow('exactly');
    expect(() => readCrds('kind: DaemonSet\n...\nkind: x\n', 'a.yaml')).toThrow('after the end');
  });

  it('makes the name of plural and group', () => {
    const text = broken((document) => Object.assign(document, { metadata: { name: '{{ .Name }}' } }));
    expect(readCrds(text, 'a.json').crds[0]?.crd.metadata.name).toBe('sample0s.example.com');
  });

  it('warns of keywords that the API server drops', () => {
    const text = JSON.stringify(crdOf(specOf({ type: 'object', const: 1 } as never)));
    expect(readCrds(text, 'a.json').warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'crd/unknown-field the schema of v1 has the field const, which the API server drops',
    ]);
  });

  it('converts v1beta1', () => {
    const { versions: _versions, ...spec } = crd.spec;
    const old = {
      ...crd,
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      spec: {
        ...spec,
        version: 'v1',
        preserveUnknownFields: false,
        validation: crd.spec.versions[0]?.schema,
      },
    };
    const [read] = readCrds(JSON.stringify(old), 'a.json').crds;
    expect(compareCrds(read?.crd, crd)).toEqual([]);
  });
});

describe('refusals', () => {
  const at = (schema: object): string => JSON.stringify(crdOf(specOf(schema)));
  it.each([
    ['$ref', at({ type: 'string', $ref: '#/x' }), 'crd/schema', '.spec: $ref is not supported'],
    [
      'a list of items',
      at({ type: 'array', items: [{ type: 'string' }] }),
      'crd/schema',
      'items must be one schema, got a list of schemas',
    ],
    [
      'fields that are no schemas',
      at({ type: 'object', properties: { a: 1 } }),
      'crd/form',
      '.spec: properties cannot be this mapping',
    ],
    ['a list of types', at({ type: ['string', 'null'] }), 'crd/form', '.spec: type cannot be this list'],
    [
      'no kind',
      broken((document) => Object.assign(document, { spec: { ...crd.spec, names: { plural: 'samples' } } })),
      'crd/form',
      'spec.names.kind is missing',
    ],
    [
      'no schema',
      broken((document) =>
        Object.assign(document, { spec: { ...crd.spec, versions: [{ name: 'v1', storage: true }] } }),
      ),
      'crd/form',
      'the version v1 has no schema',
    ],
    [
      'no storage version',
      broken((document) =>
        Object.assign(document, {
          spec: {
            ...crd.spec,
            versions: crd.spec.versions.map((version) => ({ ...version, storage: false })),
          },
        }),
      ),
      'crd/storage-version',
      'got none',
    ],
    [
      'an unknown version of the API',
      broken((document) => Object.assign(document, { apiVersion: 'apiextensions.k8s.io/v2' })),
      'crd/form',
      'got the apiVersion "apiextensions.k8s.io/v2"',
    ],
  ])('%s', (_name, text, code, message) => {
    const findings = findingsOf(() => readCrds(text, 'a.json'));
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(findings[0]?.message).toContain(message);
  });

  it.each([
    ['an array without items', { type: 'array' }, 'crd/schema'],
    ['an empty rule', { type: 'string', 'x-kubernetes-validations': [{}] }, 'crd/cel-rule'],
  ])('what can be read in spite of it is kept: %s', (_name, schema, code) => {
    const [read] = readCrds(at(schema), 'a.json').crds;
    expect(read?.refusals).toMatchObject([{ code, where: { file: 'a.json' } }]);
  });

  it('all at once', () => {
    const text = at({
      type: 'object',
      properties: { a: { type: 'array' }, b: { type: 'string', $ref: 'x' } },
    });
    expect(findingsOf(() => readCrds(text, 'a.json'))).toHaveLength(2);
  });
});

describe('the same CRD twice', () => {
  const areEqual = (left: unknown, right: unknown): boolean => compareCrds(left, right).length === 0;
  const read = (text: string, file: string) => readCrds(text, file).crds;

  it('counts once if they are equal', () => {
    const twice = [...read(toYaml(crd), 'a.yaml'), ...read(JSON.stringify(crd), 'b.json')];
    expect(uniqueCrds(twice, areEqual)).toHaveLength(1);
  });

  it('is refused if they differ, with both places', () => {
    const other = crdOf(specOf({ type: 'string' }));
    const twice = [...read(toYaml(crd), 'a.yaml'), ...read(toYaml(other), 'b.yaml')];
    expect(findingsOf(() => uniqueCrds(twice, areEqual))).toMatchObject([
      {
        code: 'import/different-crds',
        message: expect.stringContaining('a.yaml:1') as string,
        where: { file: 'b.yaml' },
      },
    ]);
  });
});
