import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { findingsOf, inFolder, manifest, refusals } from './render.ts';

const config = manifest('v1', 'ConfigMap', 'a');

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
