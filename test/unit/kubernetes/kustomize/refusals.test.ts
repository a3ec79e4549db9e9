import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { documents, findingsOf, inFolder, manifest, refusals } from './render.ts';

const config = manifest('v1', 'ConfigMap', 'a');

const withFields = (fields: string) => ({
  'kustomization.yaml': `resources: [r.yaml]\n${fields}\n`,
  'r.yaml': config,
});

describe('fields that only kustomize renders', () => {
  test.each([
    'helmCharts: [{name: a}]',
    'helmGlobals: {chartHome: a}',
    'helmChartInflationGenerator: [{chartName: a}]',
    'validators: [v.yaml]',
    'openapi: {version: v1.20.4}',
  ])('%s', async (field) => {
    const findings = await findingsOf(
      { 'sub/kustomization.yaml': `resources: [r.yaml]\n${field}\n`, 'sub/r.yaml': config },
      'sub',
      {
        pipeInto: 'op-sdk deploy -f -',
      },
    );
    expect(findings).toMatchObject([
      {
        code: 'kustomize/unsupported-field',
        where: { file: 'sub/kustomization.yaml', line: 2, column: 1 },
        fix: ['use kustomize itself: `kustomize build sub | op-sdk deploy -f -`'],
      },
    ]);
    expect(findings[0]?.message).toMatch(new RegExp(`^${field.split(':')[0]}: `));
  });

  test.each(['g.yaml', 'folder', '|\n  apiVersion: x.io/v1\n  kind: Generator\n  metadata: {name: a}'])(
    'a generator that is a program: %s',
    async (entry) => {
      const files = {
        'kustomization.yaml': `generators:\n- ${entry}\n`,
        'g.yaml': 'apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: a}\n',
        'folder/kustomization.yaml': 'resources: [../g.yaml]\n',
      };
      expect(await findingsOf(files)).toMatchObject([
        { code: 'kustomize/unsupported-field', fix: ['use kustomize itself: `kustomize build .`'] },
      ]);
    },
  );

  test('may be there empty', async () => {
    const empty =
      'configMapGenerator: []\nvars:\nopenapi: {}\ncrds: []\nbuildMetadata: []\nlabels:\npatches:';
    await expect(
      inFolder(withFields(empty), (root) => renderKustomization('.', { cwd: root })),
    ).resolves.toHaveLength(1);
  });

  test('options of generators change nothing else', async () => {
    const options = 'generatorOptions: {disableNameSuffixHash: true, labels: {a: b}}\nmetadata: {name: x}';
    await expect(
      inFolder(withFields(options), (root) => renderKustomization('.', { cwd: root })),
    ).resolves.toHaveLength(1);
  });

  test.each([
    'https://example.com/r.yaml',
    'http://example.com/r.yaml',
    'https://github.com/org/repo//config?ref=v1',
    'github.com/org/repo',
    'git@github.com:org/repo',
    'ssh://git@host/repo',
    'git::https://host/repo',
    'file:///srv/repo',
  ])('remote: %s', async (path) => {
    const findings = await findingsOf({ 'kustomization.yaml': `resources:\n- ${JSON.stringify(path)}\n` });
    expect(findings).toMatchObject([
      { code: 'kustomize/unsupported-field', where: { file: 'kustomization.yaml', line: 2, column: 3 } },
    ]);
    expect(findings[0]?.fix).toContain('use kustomize itself: `kustomize build .`');
  });
});

describe('fields of the wrong shape', () => {
  test.each([
    ['kind: Foo', '2:1 kustomize/invalid-value'],
    ['apiVersion: kustomize.config.k8s.io/v1', '2:1 kustomize/invalid-value'],
    ['kind: Component', undefined],
    ['namePrefix: 5', '2:1 kustomize/invalid-value'],
    ['namespace: [a]', '2:1 kustomize/invalid-value'],
    ['components: {a: b}', '2:1 kustomize/invalid-value'],
    ['components: [""]', '2:14 kustomize/invalid-value'],
    ['components: [null]', '2:14 kustomize/invalid-value'],
    ['commonLabels: {a: 5}', '2:16 kustomize/invalid-value'],
    ['commonLabels: {a: null}', '2:16 kustomize/invalid-value'],
    ['commonAnnotations: [a]', '2:1 kustomize/invalid-value'],
    ['labels: [a]', '2:10 kustomize/invalid-value'],
    ['labels: [{pair: {a: b}}]', '2:11 kustomize/unknown-field'],
    ['labels: [{includeSelectors: "true"}]', '2:11 kustomize/invalid-value'],
    ['labels: [{fields: [{kind: A}]}]', '2:20 kustomize/invalid-value'],
    ['images: [{newTag: v1}]', '2:10 kustomize/invalid-value'],
    ['images: [{name: app, newTag: 1.0}]', '2:22 kustomize/invalid-value'],
    ['images: [{name: "a*", newTag: v1}]', '2:11 kustomize/invalid-value'],
    ['images: [{name: app, newtag: v1}]', '2:22 kustomize/unknown-field'],
    ['replicas: [{name: app}]', '2:12 kustomize/invalid-value'],
    ['replicas: [{count: 1}]', '2:12 kustomize/invalid-value'],
    ['replicas: [{name: app, count: 1.5}]', '2:24 kustomize/invalid-value'],
    ['replicas: [{name: app, count: "1"}]', '2:24 kustomize/invalid-value'],
    ['patches: [{}]', '2:11 kustomize/invalid-value'],
    ['patches: [{path: r.yaml, patch: a}]', '2:11 kustomize/invalid-value'],
    ['patches: [{patch: 5}]', '2:12 kustomize/invalid-value'],
    ['patches: [{patch: a, target: {names: a}}]', '2:31 kustomize/unknown-field'],
    ['patches: [{patch: a, options: {allowNameChange: 1}}]', '2:32 kustomize/invalid-value'],
    ['patchesStrategicMerge: [""]', '2:25 kustomize/invalid-value'],
    ['patchesJson6902: [{patch: a}]', '2:19 kustomize/invalid-value'],
    ['replacements: [{path: r.yaml, source: {}}]', '2:16 kustomize/invalid-value'],
    ['sortOptions: {}', '2:1 kustomize/invalid-value'],
    ['sortOptions: {order: other}', '2:15 kustomize/invalid-value'],
    ['sortOptions: {order: fifo, legacySortOptions: {}}', '2:28 kustomize/invalid-value'],
    ['generatorOptions: {immutable: x}', '2:20 kustomize/invalid-value'],
    ['buildMetadata: [managedByLabel]', '2:17 kustomize/invalid-value'],
    ['buildMetadata: [origins]', '2:17 kustomize/invalid-value'],
    ['vars: [{name: A}]', '2:8 kustomize/invalid-value'],
    ['vars: [{name: A, objref: {kind: Service}}]', '2:18 kustomize/invalid-value'],
    [
      'vars: [{name: A, objref: {name: a}, fieldref: {fieldPath: a, fieldpath: b}}]',
      '2:37 kustomize/invalid-value',
    ],
    ['vars: [{name: A, objref: {name: a}}]', '2:8 kustomize/replacement-failed'],
    ['metadata: {names: x}', '2:12 kustomize/unknown-field'],
    ['resource: [r.yaml]', '2:1 kustomize/unknown-field'],
  ])('%s', async (field, expected) => {
    const result = await inFolder(withFields(field), (root) => renderKustomization('.', { cwd: root })).then(
      () => [],
      (error: unknown) => (isOpSdkError(error) ? error.findings : Promise.reject(error as Error)),
    );
    const found = result.map(({ code, where }) => {
      const { line, column } = where as { line: number; column: number };
      return `${line}:${column} ${code}`;
    });
    expect(found).toEqual(expected === undefined ? [] : [expected]);
  });

  test('say what was probably meant', async () => {
    const [finding] = await findingsOf(withFields('nameprefix: a-'));
    expect(finding).toMatchObject({ code: 'kustomize/unknown-field', fix: ['did you mean `namePrefix`?'] });
  });

  test.each([
    '',
    '# nothing\n',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n',
  ])('a kustomization that says nothing: %j', async (text) => {
    const [refusal] = await refusals({ 'kustomization.yaml': text });
    expect(refusal).toMatch(/^kustomization\.yaml:\d+:1 kustomize\/empty$/);
    const [finding] = await findingsOf({ 'kustomization.yaml': text });
    expect(finding?.message).toBe('the kustomization is empty: none of its fields has content');
  });

  test.each([
    ['components: [""]', 'components[0]'],
    ['images: [{name: "", newTag: v1}]', 'images[0].name'],
    ['replicas: [{name: "", count: 1}]', 'replicas[0].name'],
    ['labels: [{pairs: {a: b}, fields: [{path: ""}]}]', 'labels[0].fields[0].path'],
  ])('an empty text where one is needed: %s', async (field, place) => {
    expect(await findingsOf(withFields(field))).toMatchObject([
      { message: `${place}: expected some text, got an empty string`, fix: ['complete it, or remove it'] },
    ]);
  });

  test.each(['constructor', '__proto__'])('a field with a name from the prototype: %s', async (name) => {
    const findings = await findingsOf(withFields(`${name}: 1`));
    expect(findings).toMatchObject([
      { message: `the kustomization has no property \`${name}\``, where: { line: 2, column: 1 } },
    ]);
    expect(findings[0]?.fix).toEqual([expect.stringMatching(/^remove it, or use one of apiVersion, kind, /)]);
  });

  test.each([
    [
      'images: [{name: app, newTag: 1.20}]',
      'images[0].newTag: expected a string, got a number',
      'put it into quotes',
    ],
    ['namePrefix: 0x1f', 'namePrefix: expected a string, got a number', 'put it into quotes'],
    ['components: {a: b}', 'components: expected an array, got an object', 'write a list'],
    ['commonAnnotations: [a]', 'commonAnnotations: expected an object, got an array', 'write a map'],
  ])('are mended in the words of YAML: %s', async (field, message, fix) => {
    expect(await findingsOf(withFields(field))).toMatchObject([{ message, fix: [fix] }]);
  });

  test.each([
    ['PatchTransformer', 'path: p.yaml\npatch: x', 'the transformer: it has both a path and a patch'],
    ['PatchTransformer', 'patch: 5', 'patch: expected a string, got a number'],
    ['PatchJson6902Transformer', 'jsonOp: "[]"', 'the transformer: the target is missing'],
    [
      'ReplicaCountTransformer',
      'replica: {name: a, count: 9}',
      'replicas: fieldSpecs names no field in which the count of a is set',
    ],
    [
      'ReplicaCountTransformer',
      'replica: {name: b, count: 9}\nfieldSpecs: [{path: spec/size}]',
      'replicas: no object has the name b',
    ],
  ])('of a transformer name its fields: %s, %s', async (kind, text, message) => {
    const files = {
      ...withFields('transformers: [t.yaml]'),
      't.yaml': `apiVersion: builtin\nkind: ${kind}\nmetadata: {name: t}\n${text}\n`,
    };
    expect(await findingsOf(files)).toMatchObject([{ message }]);
  });

  test.each(['', '# nothing\n', 'null\n'])('a file of replacements that holds none: %j', async (text) => {
    const files = { ...withFields('replacements: [{path: empty.yaml}]'), 'empty.yaml': text };
    expect(await findingsOf(files)).toMatchObject([
      {
        code: 'kustomize/invalid-value',
        message: 'the file holds no replacement',
        where: { file: 'empty.yaml', line: 1, column: 1 },
        fix: ['write a replacement, or a list of them, or remove the file from the kustomization'],
      },
    ]);
  });

  test('a misspelt kind says nothing about the apiVersion', async () => {
    const text = 'kind: Komponent\napiVersion: kustomize.config.k8s.io/v1alpha1';
    expect(await findingsOf(withFields(text))).toMatchObject([
      {
        message: "kind: expected 'Kustomization' or 'Component', got 'Komponent'",
        fix: ["did you mean 'Component'?"],
      },
    ]);
  });

  test('without a kind the apiVersion is that of a Kustomization', async () => {
    const text = 'kind: ""\napiVersion: kustomize.config.k8s.io/v1alpha1';
    const expected = 'kustomize.config.k8s.io/v1beta1';
    expect(await findingsOf(withFields(text))).toMatchObject([
      { message: `apiVersion: expected ${expected}, got kustomize.config.k8s.io/v1alpha1` },
    ]);
  });

  test('a kustomization that is a list', async () => {
    expect(await refusals({ 'kustomization.yaml': '- a\n' })).toEqual([
      'kustomization.yaml:1:1 kustomize/invalid-value',
    ]);
  });
});

describe('resources', () => {
  test('that are none, or hold what no object can', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\n',
      'r.yaml': documents(
        'just text\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {}}\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: 5}}\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: true}}\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {v: {}}, annotations: {w: [1]}}}\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: [x]}}\n',
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: d, annotations: {internal.config.kubernetes.io/prefixes: x}}}\n',
        '{apiVersion: v1, kind: List, items: [{kind: ConfigMap}]}\n',
      ),
    };
    expect(await refusals(files)).toEqual([
      'r.yaml:1:1 io/not-an-object',
      'r.yaml:3:1 io/not-an-object',
      'r.yaml:5:46 kustomize/invalid-resource',
      'r.yaml:7:55 kustomize/invalid-resource',
      'r.yaml:9:64 kustomize/invalid-resource',
      'r.yaml:9:86 kustomize/invalid-resource',
      'r.yaml:11:55 kustomize/invalid-resource',
      'r.yaml:13:69 kustomize/invalid-resource',
      'r.yaml:15:38 io/not-an-object',
    ]);
  });

  test('a key that a mapping has twice, by its text, and one that is not text', async () => {
    const object = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ';
    const generator = 'apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: b}\n';
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\ngenerators: [g.yaml]\n',
      'r.yaml': documents(
        `${object}{a: b,\n  "a": c}}\n`,
        `${object}{y: b, yes: c, "true": d}}\n`,
        `${object}{y: b,\n  y: c}}\n`,
        'kind: List\nitems:\n- kind: Foo\n  x: {1: a}\n  kind: Foo\n',
      ),
      'g.yaml': `${generator}literals: [a=b]\nliterals: [c=d]\n`,
    };
    expect(await refusals(files)).toEqual([
      'r.yaml:2:3 io/yaml-syntax',
      'r.yaml:7:3 io/yaml-syntax',
      'r.yaml:12:7 io/yaml-not-json',
      'r.yaml:13:3 io/yaml-syntax',
      'g.yaml:5:1 io/yaml-syntax',
    ]);
  });

  test.each([
    ['commonAnnotations: {internal.config.kubernetes.io/prefixes: x}', 'r.yaml:1:1'],
    [
      'patches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, annotations: {internal.config.kubernetes.io/a: x}}}"}]',
      'r.yaml:1:1',
    ],
    [
      'configMapGenerator: [{name: b, options: {annotations: {internal.config.kubernetes.io/a: x}}}]',
      'kustomization.yaml:2:22',
    ],
  ])('annotations of kustomize that are set later: %s', async (line, place) => {
    const files = {
      'kustomization.yaml': `resources: [r.yaml]\n${line}\n`,
      'r.yaml': manifest('v1', 'ConfigMap', 'a'),
    };
    expect(await refusals(files)).toEqual([`${place} kustomize/invalid-resource`]);
  });
});

test('the findings in all files are reported at once', async () => {
  const files = {
    'kustomization.yaml':
      'resources: [a, b.yaml, c.yaml]\nhelmCharts: [{name: x}]\nnames: x\nimages: [{name: 5}]\n',
    'a/kustomization.yaml': 'resources: [gone.yaml]\nvalidators: [t.yaml]\n',
    'b.yaml': 'a: [\n',
    'c.yaml': 'kind: Foo\n',
  };
  expect((await refusals(files)).toSorted()).toEqual([
    'a/kustomization.yaml:1:13 kustomize/missing-file',
    'a/kustomization.yaml:2:1 kustomize/unsupported-field',
    expect.stringMatching(/^b\.yaml:\d:\d io\/yaml-syntax$/),
    'c.yaml:1:1 io/not-an-object',
    'kustomization.yaml:2:1 kustomize/unsupported-field',
    'kustomization.yaml:3:1 kustomize/unknown-field',
    'kustomization.yaml:4:11 kustomize/invalid-value',
  ]);
});
