// configMapGenerator and secretGenerator: what test/peers/kustomize cannot show, files that are not text and refusals.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseEnv } from '../../../../src/kubernetes/kustomize/generators/make-object.ts';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { findingsOf, inFolder, manifest, refusals } from './render.ts';

test('a file that is not UTF-8 becomes binaryData', async () => {
  const files = {
    'kustomization.yaml': 'configMapGenerator: [{name: a, files: [a.bin, text]}]\n',
    text: 'b',
  };
  await inFolder(files, async (root) => {
    // The bytes and the hash of kustomize 5.
    writeFileSync(join(root, 'a.bin'), Buffer.from([0xff, 0xfd, 0x68, 0x69]));
    const [rendered] = await renderKustomization('.', { cwd: root });
    expect(rendered?.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a-2gf7m26dcf' },
      data: { text: 'b' },
      binaryData: { 'a.bin': '//1oaQ==' },
    });
  });
});

describe('refused', () => {
  const generator = (fields: string) => ({
    'kustomization.yaml': `configMapGenerator:\n- {name: a, ${fields}}\n`,
  });

  test.each([
    ['literals: [a]', 'kustomization.yaml:2:24 kustomize/invalid-value'],
    ['literals: ["=a"]', 'kustomization.yaml:2:24 kustomize/invalid-value'],
    ['literals: [1]', 'kustomization.yaml:2:24 kustomize/invalid-value'],
    ['files: ["a=b=c"]', 'kustomization.yaml:2:21 kustomize/invalid-value'],
    ['files: ["=c"]', 'kustomization.yaml:2:21 kustomize/invalid-value'],
    ['files: ["a="]', 'kustomization.yaml:2:21 kustomize/invalid-value'],
    ['files: [gone]', 'kustomization.yaml:2:21 kustomize/missing-file'],
    ['files: [.]', 'kustomization.yaml:2:21 kustomize/missing-file'],
    ['files: ["https://example.com/a"]', 'kustomization.yaml:2:21 kustomize/unsupported-field'],
    ['envs: [gone]', 'kustomization.yaml:2:20 kustomize/missing-file'],
    ['behavior: merge', 'kustomization.yaml:2:3 kustomize/no-target'],
    ['behavior: replace', 'kustomization.yaml:2:3 kustomize/no-target'],
    ['type: Opaque', 'kustomization.yaml:2:13 kustomize/unknown-field'],
    ['options: {hash: false}', 'kustomization.yaml:2:23 kustomize/unknown-field'],
    ['literals: [a=b, a=c]', 'kustomization.yaml:2:29 kustomize/invalid-value'],
    ['literals: [10=b]', 'kustomization.yaml:2:24 kustomize/invalid-value'],
    ['literals: ["a=\\u0085"]', 'kustomization.yaml:2:24 kustomize/invalid-value'],
  ])('%s', async (fields, refusal) => {
    expect(await refusals(generator(fields))).toEqual([refusal]);
  });

  test('a file outside of the folder', async () => {
    const files = { 'sub/kustomization.yaml': 'secretGenerator: [{name: a, files: [../key]}]\n', key: 'a' };
    expect(await refusals(files, 'sub')).toEqual(['sub/kustomization.yaml:1:37 kustomize/outside-root']);
  });

  test('an object without a name', async () => {
    expect(await refusals({ 'kustomization.yaml': 'secretGenerator: [{literals: [a=b]}]\n' })).toEqual([
      'kustomization.yaml:1:19 kustomize/invalid-value',
    ]);
  });

  test('a line that kustomize would silently stop at', async () => {
    const files = { ...generator('envs: [a.env]'), 'a.env': `A=b\nB=${'x'.repeat(70_000)}\nC=d\n` };
    expect(await refusals(files)).toEqual(['a.env:2 kustomize/invalid-value']);
    expect(parseEnv(Buffer.from(`A=${'x'.repeat(65_533)}\nB=c\n`))).toHaveLength(2);
    expect(() => parseEnv(Buffer.from(`A=${'x'.repeat(65_534)}`))).toThrow('more than 65535 bytes');
  });

  test('an object that is there, with what to write', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\nconfigMapGenerator: [{name: a}]\n',
      'r.yaml': manifest('v1', 'ConfigMap', 'a'),
    };
    expect(await findingsOf(files)).toMatchObject([
      {
        code: 'kustomize/duplicate-resource',
        where: { file: 'kustomization.yaml', line: 2 },
        fix: [expect.stringContaining('behavior: merge')],
      },
    ]);
  });

  test('data that is not text, where it would be merged', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\nconfigMapGenerator: [{name: a, behavior: merge}]\n',
      'r.yaml': manifest('v1', 'ConfigMap', 'a', { data: { a: 1 } }),
    };
    expect(await refusals(files)).toEqual(['r.yaml:1:1 kustomize/unexpected-shape']);
  });

  test('a patch that makes another kind of a generated object', async () => {
    const patch = '{apiVersion: v1, kind: Other, metadata: {name: a}}';
    const options = 'options: {allowKindChange: true}, target: {kind: ConfigMap}';
    const files = {
      'kustomization.yaml': `configMapGenerator: [{name: a}]\npatches: [{patch: "${patch}", ${options}}]\n`,
    };
    expect(await refusals(files)).toEqual(['kustomization.yaml:1:22 kustomize/patch-failed']);
  });

  test('an env file of very many lines', async () => {
    const lines = (count: number): string => 'k=\n'.repeat(count);
    expect(parseEnv(Buffer.from(lines(150_000)))).toHaveLength(150_000);
    const kustomization = 'configMapGenerator: [{name: a, envs: [e]}]\n';
    expect(await refusals({ 'kustomization.yaml': kustomization, e: lines(150_001) })).toEqual([
      'e kustomize/too-large',
    ]);
  });

  test('more data than a build may hold', async () => {
    const bases = Array.from({ length: 20 }, (_, index) => `b${index}`);
    const files = {
      'base/kustomization.yaml': 'configMapGenerator: [{name: a, files: [big]}]\n',
      'base/big': 'x'.repeat(5_000_000),
      ...Object.fromEntries(
        bases.map((name) => [`${name}/kustomization.yaml`, `namePrefix: ${name}-\nresources: [../base]\n`]),
      ),
      'top/kustomization.yaml': `resources: [${bases.map((name) => `../${name}`).join(', ')}]\n`,
    };
    expect(await refusals(files, 'top')).toEqual(['base/kustomization.yaml kustomize/too-large']);
  });

  // What is refused before it is merged was not kept, either.
  test('more data than generators may read', async () => {
    const names = (count: number): string => Array.from({ length: count }, (_, i) => `k${i}=big`).join(', ');
    const files = {
      'kustomization.yaml': `configMapGenerator:\n- {name: a, files: [${names(13)}]}\n- {name: a, files: [big, nowhere]}\n`,
      big: 'x'.repeat(5_000_000),
    };
    // The duplicate name and the missing file would be found later.
    expect(await findingsOf(files)).toMatchObject([
      {
        code: 'kustomize/too-large',
        message: 'the generators of the build read more than 67108864 bytes',
        where: { line: 3 },
      },
    ]);
  });
});
