// What is refused, each with its place, and all of it at once.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../src/errors/index.ts';
import { renderKustomization } from '../../../src/kustomize/index.ts';
import { documents, findingsOf, inFolder, manifest, refusals } from './render.ts';

const config = manifest('v1', 'ConfigMap', 'a');
const withFields = (fields: string) => ({
  'kustomization.yaml': `resources: [r.yaml]\n${fields}\n`,
  'r.yaml': config,
});

describe('fields that only kustomize renders', () => {
  test.each([
    'configMapGenerator: [{name: a}]',
    'secretGenerator: [{name: a}]',
    'generators: [g.yaml]',
    'helmCharts: [{name: a}]',
    'helmGlobals: {chartHome: a}',
    'helmChartInflationGenerator: [{chartName: a}]',
    'transformers: [t.yaml]',
    'validators: [v.yaml]',
    'configurations: [c.yaml]',
    'crds: [c.json]',
    'openapi: {version: v1.20.4}',
    'vars: [{name: A}]',
    'buildMetadata: [originAnnotations]',
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

  test('may be there empty', async () => {
    const empty =
      'configMapGenerator: []\nvars:\nopenapi: {}\ncrds: []\nbuildMetadata: []\nlabels:\npatches:';
    await expect(
      inFolder(withFields(empty), (root) => renderKustomization('.', { cwd: root })),
    ).resolves.toHaveLength(1);
  });

  test('options of generators change nothing', async () => {
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
    expect(finding).toMatchObject({ code: 'kustomize/unknown-field', fix: ['did you mean namePrefix?'] });
  });

  test.each([
    '',
    '# nothing\n',
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n',
  ])('a kustomization that says nothing: %j', async (text) => {
    const [refusal] = await refusals({ 'kustomization.yaml': text });
    expect(refusal).toMatch(/^kustomization\.yaml:\d+:1 kustomize\/empty$/);
  });

  test('a kustomization that is a list', async () => {
    expect(await refusals({ 'kustomization.yaml': '- a\n' })).toEqual([
      'kustomization.yaml:1:1 kustomize/invalid-value',
    ]);
  });
});

describe('files and folders', () => {
  test.each([
    [
      'missing',
      { 'kustomization.yaml': 'resources: [x.yaml]' },
      'kustomization.yaml:1:13 kustomize/missing-file',
    ],
    [
      'without a kustomization',
      { 'kustomization.yaml': 'resources: [d]', 'd/x': '' },
      'kustomization.yaml:1:13 kustomize/no-kustomization',
    ],
    [
      'outside',
      { 'kustomization.yaml': 'resources: [../other.yaml]' },
      'kustomization.yaml:1:13 kustomize/outside-root',
      '../other.yaml',
    ],
    [
      'a patch outside',
      { 'kustomization.yaml': 'patches: [{path: ../other.yaml}]' },
      'kustomization.yaml:1:12 kustomize/outside-root',
      '../other.yaml',
    ],
    [
      'a missing patch',
      { 'kustomization.yaml': 'patches: [{path: p.yaml}]' },
      'kustomization.yaml:1:12 kustomize/missing-file',
    ],
    [
      'a missing replacement',
      { 'kustomization.yaml': 'replacements: [{path: p.yaml}]' },
      'kustomization.yaml:1:17 kustomize/missing-file',
    ],
    [
      'a folder for a patch',
      { 'kustomization.yaml': 'patches: [{path: d}]', 'd/x': '' },
      'kustomization.yaml:1:12 kustomize/missing-file',
    ],
    [
      'an absolute folder',
      { 'kustomization.yaml': 'resources: [/]' },
      'kustomization.yaml:1:13 kustomize/outside-root',
    ],
    [
      'a component of a file',
      { 'kustomization.yaml': 'components: [r.yaml]', 'r.yaml': config },
      'kustomization.yaml:1:14 kustomize/invalid-value',
    ],
    [
      'a component as resource',
      { 'kustomization.yaml': 'resources: [c]', 'c/kustomization.yaml': 'kind: Component\nnamePrefix: a' },
      'kustomization.yaml:1:13 kustomize/invalid-value',
    ],
    [
      'a kustomization as component',
      { 'kustomization.yaml': 'components: [c]', 'c/kustomization.yaml': 'namePrefix: a' },
      'kustomization.yaml:1:14 kustomize/invalid-value',
    ],
    [
      'a kustomization as file',
      { 'kustomization.yaml': 'resources: [c/kustomization.yaml]', 'c/kustomization.yaml': 'namePrefix: a' },
      'c/kustomization.yaml:1:1 io/not-an-object',
    ],
    [
      'a file twice',
      { 'kustomization.yaml': 'resources: [r.yaml, r.yaml]', 'r.yaml': config },
      'r.yaml:1:1 kustomize/duplicate-resource',
    ],
  ] as const)('%s', async (_what, files, expected, other?: string) => {
    const inner = Object.fromEntries(Object.entries(files).map(([path, text]) => [`root/${path}`, text]));
    await inFolder({ ...inner, ...(other === undefined ? {} : { 'other.yaml': config }) }, async (root) => {
      const error: unknown = await renderKustomization('.', { cwd: join(root, 'root') }).catch(
        (thrown: unknown) => thrown,
      );
      if (!isOpSdkError(error)) throw error;
      const found = error.findings.map(({ code, where }) => {
        const { file, line, column } = where as { file: string; line: number; column: number };
        return `${file}:${line}:${column} ${code}`;
      });
      expect(found).toEqual([expected]);
    });
  });

  test('a folder that is not there, is a file, or has two kustomizations', async () => {
    expect(await refusals({}, 'nowhere')).toEqual(['nowhere kustomize/missing-file']);
    expect(await refusals({ file: '' }, 'file')).toEqual(['file kustomize/missing-file']);
    const two = { 'kustomization.yaml': 'resources: []', 'kustomization.yml': 'resources: []' };
    expect(await refusals(two)).toEqual(['. kustomize/no-kustomization']);
  });

  test('links that lead out', async () => {
    await inFolder(
      { 'root/kustomization.yaml': 'resources: [link.yaml]\n', 'other.yaml': config },
      async (root) => {
        symlinkSync('../other.yaml', join(root, 'root', 'link.yaml'));
        await expect(renderKustomization('root', { cwd: root })).rejects.toMatchObject({
          code: 'kustomize/outside-root',
        });
      },
    );
  });

  test('what is not UTF-8', async () => {
    await inFolder({ 'kustomization.yaml': 'resources: [r.yaml]\n' }, async (root) => {
      writeFileSync(join(root, 'r.yaml'), Buffer.from([0x61, 0xff]));
      await expect(renderKustomization('.', { cwd: root })).rejects.toMatchObject({
        findings: [{ code: 'io/yaml-syntax', where: { file: 'r.yaml' } }],
      });
    });
  });
});

describe('cycles', () => {
  test('show the way round', async () => {
    const findings = await findingsOf(
      {
        'a/kustomization.yaml': 'resources: [../b]\n',
        'b/kustomization.yaml': 'components: [../c]\n',
        'c/kustomization.yaml': 'kind: Component\nresources:\n- ../a\n',
      },
      'a',
    );
    expect(findings).toMatchObject([
      {
        code: 'kustomize/cycle',
        message: 'the kustomizations include each other in a circle: a → b → c → a',
        where: { file: 'c/kustomization.yaml', line: 3, column: 3 },
      },
    ]);
  });

  test('are also folders that contain an including one', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]',
      'a/kustomization.yaml': 'resources: [..]',
      'r.yaml': config,
    };
    expect(await refusals(files, 'a')).toEqual(['a/kustomization.yaml:1:13 kustomize/cycle']);
    expect(await refusals({ 'kustomization.yaml': 'resources: [.]' })).toEqual([
      'kustomization.yaml:1:13 kustomize/cycle',
    ]);
  });

  test('on one way of two', async () => {
    // From x, base includes the folder that contains x; from top it does not.
    const files = {
      'top/kustomization.yaml': 'resources: [../base, ../group/x]\n',
      'base/kustomization.yaml': 'resources: [../group]\n',
      'group/kustomization.yaml': 'namePrefix: g-\n',
      'group/x/kustomization.yaml': 'resources: [../../base]\n',
    };
    expect(await refusals(files, 'top')).toEqual(['group/x/kustomization.yaml:1:13 kustomize/cycle']);
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
        '{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {v: 1}, annotations: {w: null}}}\n',
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
      'r.yaml:9:85 kustomize/invalid-resource',
      'r.yaml:11:55 kustomize/invalid-resource',
      'r.yaml:13:69 kustomize/invalid-resource',
      'r.yaml:15:38 io/not-an-object',
    ]);
  });
});

test('everything wrong in all files is told at once', async () => {
  const files = {
    'kustomization.yaml':
      'resources: [a, b.yaml, c.yaml]\nvars: [{name: x}]\nnames: x\nimages: [{name: 5}]\n',
    'a/kustomization.yaml': 'resources: [gone.yaml]\nsecretGenerator: [{name: a}]\n',
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

describe('bombs', () => {
  const anchors = (levels: number, width: number): string =>
    Array.from({ length: levels }, (_, level) => {
      const items = Array.from({ length: width }, () => (level === 0 ? '1' : `*a${level - 1}`));
      return `a${level}: &a${level} [${items.join(',')}]\n`;
    }).join('');
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  const bomb = (text: string) => refusals({ 'kustomization.yaml': 'resources: [r.yaml]\n', 'r.yaml': text });

  test('of wide aliases, in a resource or a kustomization', async () => {
    expect(await bomb(object + anchors(9, 10))).toEqual([
      expect.stringMatching(/^r\.yaml:\d+:\d+ io\/too-large$/),
    ]);
    expect(await refusals({ 'kustomization.yaml': anchors(9, 10) })).toEqual([
      expect.stringMatching(/^kustomization\.yaml:\d+:\d+ io\/yaml-syntax$/),
    ]);
  });

  test('of deep aliases', async () => {
    expect(await bomb(object + anchors(20_000, 1))).toEqual([
      expect.stringMatching(/^r\.yaml:\d+:\d+ io\/too-large$/),
    ]);
  });

  test('of brackets', async () => {
    const [refusal] = await bomb(`${object}x: ${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(refusal).toMatch(/^r\.yaml:\d+:\d+ io\/too-large$/);
  });

  test('of aliases that stay below the bound in each of many uses', async () => {
    const files = {
      'kustomization.yaml': `resources: [${Array.from({ length: 12 }, (_, i) => `d${i}`).join(', ')}]\n`,
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          `d${i}/kustomization.yaml`,
          `namePrefix: d${i}-\nresources: [../base]\n`,
        ]),
      ),
      'base/kustomization.yaml': 'resources: [r.yaml]\n',
      'base/r.yaml': object + anchors(5, 10),
    };
    expect(await refusals(files)).toEqual([expect.stringContaining(' kustomize/too-large')]);
  });

  test('of many lines, one large file, or many large files', async () => {
    expect(await bomb(`${object}data:\n${'  a: b\n'.repeat(150_000)}`)).toEqual([
      'kustomization.yaml:1:13 kustomize/too-large',
    ]);
    expect(await bomb(`${object}data: {a: "${'x'.repeat(9 * 1024 * 1024)}"}`)).toEqual([
      'kustomization.yaml:1:13 kustomize/too-large',
    ]);
    const lines = `# \n`.repeat(80_000);
    const files = { 'a.yaml': lines, 'b.yaml': lines, 'c.yaml': lines };
    expect(
      await refusals({ 'kustomization.yaml': 'resources: [a.yaml, b.yaml, c.yaml]\n', ...files }),
    ).toEqual(['kustomization.yaml:1:29 kustomize/too-large']);
  });

  test('of folders that double', async () => {
    const levels = Array.from({ length: 30 }, (_, i) => [
      `d${i}/kustomization.yaml`,
      i === 29 ? 'resources: []\n' : `resources: [../d${i + 1}, ../d${i + 1}]\n`,
    ]);
    expect(await refusals(Object.fromEntries(levels) as Record<string, string>, 'd0')).toEqual([
      expect.stringContaining(' kustomize/too-large'),
    ]);
  });

  test('of folders in a row', async () => {
    await inFolder({}, async (root) => {
      for (let i = 0; i < 300; i++) {
        mkdirSync(join(root, `d${i}`));
        writeFileSync(join(root, `d${i}`, 'kustomization.yaml'), `resources: [../d${i + 1}]\n`);
      }
      await expect(renderKustomization('d0', { cwd: root })).rejects.toMatchObject({
        findings: [{ code: 'kustomize/too-large' }],
      });
    });
  });
});
