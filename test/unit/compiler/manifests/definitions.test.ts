import { describe, expect, test } from 'vitest';
import { FindingList } from '../../../../src/base/errors/index.ts';
import { groupVersions } from '../../../../src/compiler/manifests/crd/check-group.ts';
import { crdDocument } from '../../../../src/compiler/manifests/crd/crd-document.ts';
import type { KindWithSchema } from '../../../../src/compiler/manifests/crd/kind-version.ts';
import { lintTakenNames } from '../../../../src/compiler/manifests/collect-kinds.ts';
import { readDefinition } from '../../../../src/compiler/manifests/crd/read-definition.ts';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { callsIn, judge, lines } from './fixture.ts';

const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', format: 'int32' },
        image: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        anything: { 'x-kubernetes-preserve-unknown-fields': true },
        ports: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
      },
    },
    status: { type: 'object' },
  },
};

/** The kinds of several `defineResource` calls, and what is wrong with them. */
function read(main: string): { kinds: KindWithSchema[]; findings: FindingList } {
  const findings = new FindingList();
  const kinds = callsIn(main).flatMap((call) => {
    const kind = readDefinition(findings, call.arguments[0], call.place);
    return kind === undefined ? [] : [{ ...kind, schema }];
  });
  return { kinds, findings };
}

const define = (extra: string): string =>
  `defineResource<object>({ group: 'cache.example.com', version: 'v1', kind: 'Memcached', ${extra} });`;

describe('one declaration', () => {
  test('names follow from the kind', () => {
    const { kinds, findings } = read(define(''));
    expect(lines(findings)).toEqual([]);
    const [kind] = groupVersions(findings, kinds);
    expect(kind && crdDocument(kind)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'memcacheds.cache.example.com' },
      spec: {
        group: 'cache.example.com',
        names: { kind: 'Memcached', listKind: 'MemcachedList', plural: 'memcacheds', singular: 'memcached' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            schema: { openAPIV3Schema: schema },
            served: true,
            storage: true,
            subresources: { status: {} },
          },
        ],
      },
    });
  });

  test('everything that can be said is in the CRD', () => {
    const { kinds, findings } = read(
      define(`scope: 'Cluster', plural: 'memcaches', singular: 'mc', listKind: 'Memcaches', shortNames: ['mem'], categories: ['all'], served: true, storage: true,
        printerColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.replicas', description: 'how many', format: 'int32', priority: 1 }, { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 }]`),
    );
    expect(lines(findings)).toEqual([]);
    const [kind] = groupVersions(findings, kinds);
    const document = kind && crdDocument(kind);
    expect(document).toMatchObject({
      metadata: { name: 'memcaches.cache.example.com' },
      spec: {
        names: {
          plural: 'memcaches',
          singular: 'mc',
          listKind: 'Memcaches',
          shortNames: ['mem'],
          categories: ['all'],
        },
        scope: 'Cluster',
      },
    });
    expect((document?.['spec'] as { versions: object[] }).versions[0]).toMatchObject({
      additionalPrinterColumns: [
        {
          name: 'Size',
          type: 'integer',
          jsonPath: '.spec.replicas',
          description: 'how many',
          format: 'int32',
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp', priority: 0 },
      ],
    });
  });

  test.each([
    [
      `{ version: 'v1', kind: 'A' }`,
      ['manifests/invalid-declaration src/main.ts:2:24 defineResource lacks `group`'],
    ],
    [`{ group: 'Cache.example.com', version: 'v1', kind: 'A' }`, ['crd/group src/main.ts:2:33']],
    [`{ group: 'cache', version: 'v1', kind: 'A' }`, ['crd/group src/main.ts:2:33']],
    [`{ group: 'a.b', version: '1alpha', kind: 'A' }`, ['crd/version src/main.ts:2:49']],
    [`{ group: 'a.b', version: 'V1', kind: 'A' }`, ['crd/version src/main.ts:2:49']],
    [`{ group: 'a.b', version: 'v1', kind: '1st' }`, ['crd/kind src/main.ts:2:61']],
    [`{ group: 'a.b', version: 'v1', kind: 'Two Words' }`, ['crd/kind src/main.ts:2:61']],
    [`{ group: 'a.b', version: 'v1', kind: 'A', plural: 'As' }`, ['crd/name src/main.ts:2:74']],
    [`{ group: 'a.b', version: 'v1', kind: 'A', listKind: 'A' }`, ['crd/name src/main.ts:2:76']],
    [`{ group: 'a.b', version: 'v1', kind: 'A', shortNames: ['a_b'] }`, ['crd/name src/main.ts:2:79']],
    [
      `{ group: 'a.b', version: 'v1', kind: 'A', scope: 'namespaced' }`,
      [
        "manifests/invalid-declaration src/main.ts:2:73 `scope`: expected 'Namespaced' or 'Cluster', got 'namespaced'",
      ],
    ],
    [
      `{ group: 'a.b', version: 'v1', kind: 'A', plurals: 'as' }`,
      ['manifests/invalid-declaration src/main.ts:2:66 defineResource has no property `plurals`'],
    ],
    [
      `{ group: 1, version: 'v1', kind: 'A' }`,
      ['manifests/invalid-declaration src/main.ts:2:33 `group`: expected a string, got a number'],
    ],
    [`{ group: f(), version: 'v1', kind: 'A' }`, ['manifests/not-constant src/main.ts:2:33']],
    [`{ ...f(), version: 'v1', kind: 'A' }`, ['manifests/not-constant src/main.ts:2:29']],
    [`f()`, ['manifests/not-constant src/main.ts:2:24']],
    [`{ group: 'B', version: 'x y', kind: 'c d' }`, ['crd/group', 'crd/kind', 'crd/version']],
    [
      `{ group: 'a.b', version: 'v1', kind: 'A', printerColumns: [{ name: 'N', type: 'int', jsonPath: '.spec' }] }`,
      ["crd/printer-column src/main.ts:2:102 the type 'int' of the printer column 'N' is not one of"],
    ],
    [
      `{ group: 'a.b', version: 'v1', kind: 'A', printerColumns: [{ name: 'N', jsonPath: '.spec' }] }`,
      ['a printer column lacks `type`'],
    ],
  ])('%s is refused', (definition, expected) => {
    const { kinds, findings } = read(`defineResource<object>(${definition});`);
    judge(findings, kinds);
    const found = lines(findings);
    expect(found).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(found[index]).toContain(start);
  });
});

describe('printer columns against the schema', () => {
  function column(jsonPath: string, type = 'string'): { errors: string[]; warnings: string[] } {
    const { kinds, findings } = read(
      define(`printerColumns: [{ name: 'C', type: '${type}', jsonPath: ${JSON.stringify(jsonPath)} }]`),
    );
    const warnings = judge(findings, kinds);
    return { errors: lines(findings), warnings: lines(warnings) };
  }

  test.each([
    ['.spec.replicas', 'integer'],
    ['.spec.replicas', 'number'],
    ['.spec.replicas', 'string'],
    ['.metadata.creationTimestamp', 'date'],
    ['.metadata.labels.app\\.kubernetes\\.io/name', 'string'],
    ['.spec.labels.x', 'string'],
    ['.spec.anything.goes[0].here', 'integer'],
    ['.spec.ports[*].name', 'string'],
    ['.spec.ports[?(@.name=="web")].name', 'string'],
    ['..name', 'string'],
    ['.kind', 'string'],
  ])('%s as %s', (path, type) => {
    const { kinds, findings } = read(
      define(`printerColumns: [{ name: 'C', type: '${type}', jsonPath: ${JSON.stringify(path)} }]`),
    );
    const withKind = kinds.map((kind) => ({
      ...kind,
      schema: { ...schema, properties: { ...schema.properties, kind: { type: 'string' } } },
    }));
    expect(judge(findings, withKind)).toEqual([]);
    expect(lines(findings)).toEqual([]);
  });

  test.each([
    ['.spec.replica', 'unknown field .spec.replica; did you mean .spec.replicas?'],
    ['.status.phase', 'unknown field .status.phase'],
    ['.spec.ports.name', '.spec.ports is a list; name an item, as in .spec.ports[0].name'],
    ['.spec.image[0]', '.spec.image is not a list'],
    ['.spec.image.tag', 'unknown field .spec.image.tag'],
    ['.metadata.labels.a.b', 'unknown field .metadata.labels.a.b'],
    ['.spec.toString', 'unknown field .spec.toString'],
    ['.spec.', 'what follows .spec is not understood'],
  ])('%s leads nowhere: a warning', (path, problem) => {
    const { errors, warnings } = column(path);
    expect(errors).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(problem);
  });

  test('a path without a dot is refused', () => {
    expect(column('spec.replicas').errors[0]).toContain('it does not start with a dot');
  });

  test('a column of another type than its field is shown empty: a warning', () => {
    expect(column('.spec.image', 'integer').warnings[0]).toContain('crd/printer-column-type');
    expect(column('.spec.replicas', 'date').warnings).toHaveLength(1);
  });

  test('two columns of one name', () => {
    const same = `{ name: 'C', type: 'string', jsonPath: '.spec.image' }`;
    const { kinds, findings } = read(define(`printerColumns: [${same}, ${same}]`));
    const warnings = lines(judge(findings, kinds));
    expect(lines(findings)).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("there are two printer columns named 'C'");
  });
});

describe('several declarations', () => {
  function group(...definitions: string[]): { storage: string[]; errors: string[] } {
    const main = definitions
      .map((definition) => `defineResource<object>({ group: 'a.example.com', ${definition} });`)
      .join('\n');
    const { kinds, findings } = read(main);
    const grouped = groupVersions(findings, kinds);
    return {
      storage: grouped.map((kind) => `${kind.storage.kind.value} ${kind.storage.version.value}`),
      errors: lines(findings),
    };
  }

  test('versions of a kind are one CRD, in the order of their names', () => {
    const { kinds, findings } = read(
      ['v1beta1', 'v1', 'v1alpha1']
        .map((v) => define('').replace("'v1'", `'${v}'${v === 'v1' ? ', storage: true' : ''}`))
        .join('\n'),
    );
    const grouped = groupVersions(findings, kinds);
    expect(lines(findings)).toEqual([]);
    expect(grouped).toHaveLength(1);
    expect(grouped[0]?.versions.map((version) => version.version.value)).toEqual([
      'v1',
      'v1alpha1',
      'v1beta1',
    ]);
    expect(grouped[0]?.storage.version.value).toBe('v1');
  });

  test.each([
    [
      'no storage version',
      [`version: 'v1', kind: 'A'`, `version: 'v2', kind: 'A'`],
      'none of the versions of A is the storage version (v1 at src/main.ts:2:1, v2 at src/main.ts:3:1)',
    ],
    [
      'two storage versions',
      [`version: 'v1', kind: 'A', storage: true`, `version: 'v2', kind: 'A', storage: true`],
      'A has 2 storage versions: v1 at src/main.ts:2:85, v2 at src/main.ts:3:85',
    ],
    [
      'one version that is not stored',
      [`version: 'v1', kind: 'A', storage: false`],
      'v1 is the only version of A, so it must be the storage version, but `storage` is false',
    ],
    [
      'the same version twice',
      [`version: 'v1', kind: 'A', storage: true`, `version: 'v1', kind: 'A'`],
      'a.example.com/v1 A is declared twice, the first time at src/main.ts:2:1',
    ],
    [
      'scopes that disagree',
      [`version: 'v1', kind: 'A', storage: true`, `version: 'v2', kind: 'A', scope: 'Cluster'`],
      "the versions of A disagree: `scope` is 'Cluster' in v2 and 'Namespaced' in v1",
    ],
    [
      'plurals that disagree',
      [`version: 'v1', kind: 'A', storage: true`, `version: 'v2', kind: 'A', plural: 'aas'`],
      "`plural` is 'aas' in v2 and 'as' in v1 (src/main.ts:2:71)",
    ],
    [
      'the plural of another kind',
      [`version: 'v1', kind: 'A'`, `version: 'v1', kind: 'B', plural: 'as'`],
      "the plural 'as' of B is the plural of A in the same group a.example.com (src/main.ts:2:71)",
    ],
  ])('%s', (_name, definitions, expected) => {
    const { errors } = group(...definitions);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(expected);
  });

  test.each([
    [
      'a plural of another kind',
      [`version: 'v1', kind: 'Bs'`, `version: 'v1', kind: 'A', plural: 'bs'`],
      "the singular 'bs' of Bs is taken: it is the plural of A in the same group a.example.com (src/main.ts:3:84)",
    ],
    [
      'a short name of another kind',
      [`version: 'v1', kind: 'A', shortNames: ['x']`, `version: 'v1', kind: 'B', shortNames: ['x']`],
      "the short name 'x' of B is taken: it is the short name of A",
    ],
    [
      'a list kind of another kind',
      [`version: 'v1', kind: 'A'`, `version: 'v1', kind: 'AList'`],
      "the kind 'AList' of AList is taken: it is the list kind of A",
    ],
  ])('%s: a warning', (_name, definitions, expected) => {
    const main = definitions
      .map((definition) => `defineResource<object>({ group: 'a.example.com', ${definition} });`)
      .join('\n');
    const { kinds, findings } = read(main);
    const warnings = lines([...lintTakenNames(groupVersions(findings, kinds)).values()].flat());
    expect(lines(findings)).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(expected);
  });

  test('a group of Kubernetes needs the approval, or a word about it', () => {
    const errorsOf = (annotations: string): string[] => {
      const { kinds, findings } = read(define(annotations).replace('cache.example.com', 'x.k8s.io'));
      judge(findings, kinds);
      return lines(findings);
    };
    const approval = (text: string): string => `annotations: { 'api-approved.kubernetes.io': '${text}' }`;
    expect(errorsOf('')[0]).toContain('crd/reserved-group src/main.ts:2:33');
    expect(errorsOf(approval('soon'))[0]).toContain('neither a URL nor a reason');
    expect(errorsOf(approval('unapproved, an experiment'))).toEqual([]);
    expect(errorsOf(approval('https://github.com/kubernetes/enhancements/pull/1111'))).toEqual([]);
  });

  test('the same plural in two groups is fine', () => {
    const { kinds, findings } = read(`${define('')} ${define('').replace('cache.', 'other.')}`);
    expect(groupVersions(findings, kinds)).toHaveLength(2);
    expect(lines(findings)).toEqual([]);
  });
});
