// What a build is made of: files, folders, components, their order, and what is left of tools at the end.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderKustomization } from '../../../../src/kubernetes/kustomize/index.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { documents, idsOf, inFolder, manifest, render } from './render.ts';

const config = (name: string, more: object = {}): string => manifest('v1', 'ConfigMap', name, more);

describe('resources', () => {
  test('are files of documents and Lists, whose items come last, and folders', async () => {
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [
        JSON.parse(config('l1')),
        { apiVersion: 'v1', kind: 'ConfigMapList', items: [JSON.parse(config('l2'))] },
      ],
    });
    const objects = await render({
      'kustomization.yaml': 'sortOptions: {order: fifo}\nresources: [sub/r.yaml, ./folder/, none.yaml]\n',
      'sub/r.yaml': documents(`# comment\n${list}\n`, config('a'), '', '{}\n', config('b')),
      'folder/Kustomization': 'bases: [inner]\nresources: [r.yaml]\n',
      'folder/r.yaml': config('c'),
      'folder/inner/kustomization.yml': 'resources: [r.yaml]\n',
      'folder/inner/r.yaml': config('d'),
      'none.yaml': '# nothing\n',
    });
    expect(idsOf(objects).map((id) => id.split(' ')[1])).toEqual(['a', 'b', 'l1', 'l2', 'c', 'd']);
  });

  test('are sorted by kind, group, namespace and name', async () => {
    const objects = await render({
      'kustomization.yaml': 'resources: [r.yaml]\n',
      'r.yaml': documents(
        manifest('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'v'),
        manifest('example.com/v1', 'Custom', 'x'),
        config('b'),
        config('a', { metadata: { namespace: 'z' } }),
        config('a', { metadata: { namespace: 'default' } }),
        manifest('apps/v1', 'Deployment', 'd'),
        manifest('v1', 'Pod', 'p'),
        manifest('other.io/v1', 'Namespace', 'n'),
        manifest('v1', 'Namespace', 'n'),
      ),
    });
    expect(idsOf(objects)).toEqual([
      'Namespace n',
      'Namespace n',
      'ConfigMap default/a',
      'ConfigMap z/a',
      'ConfigMap b',
      'Deployment d',
      'Custom x',
      'Pod p',
      'ValidatingWebhookConfiguration v',
    ]);
    expect(objects[0]).toMatchObject({ apiVersion: 'v1' });
  });

  test('are sorted as sortOptions say', async () => {
    const objects = await render({
      'kustomization.yaml':
        'resources: [r.yaml]\nsortOptions: {order: legacy, legacySortOptions: {orderFirst: [Pod], orderLast: [Namespace]}}\n',
      'r.yaml': documents(manifest('v1', 'Namespace', 'n'), config('c'), manifest('v1', 'Pod', 'p')),
    });
    expect(idsOf(objects)).toEqual(['Pod p', 'ConfigMap c', 'Namespace n']);
  });

  test('for tools only are left out, and marks of tools taken out', async () => {
    const annotated = (annotations: object) => ({ metadata: { annotations } });
    const objects = await render({
      'kustomization.yaml': 'resources: [r.yaml]\n',
      'r.yaml': documents(
        config('a', annotated({ 'config.kubernetes.io/local-config': 'true' })),
        config('b', annotated({ 'config.kubernetes.io/local-config': 'false' })),
        config(
          'c',
          annotated({ 'config.kubernetes.io/path': 'x', 'config.kubernetes.io/index': '0', keep: 'k' }),
        ),
        config('d', annotated({ 'config.k8s.io/id': '1' })),
      ),
    });
    expect(objects.map(({ metadata }) => metadata)).toEqual([
      { name: 'b', annotations: { 'config.kubernetes.io/local-config': 'false' } },
      { name: 'c', annotations: { keep: 'k' } },
      { name: 'd' },
    ]);
  });

  test('that share an alias are changed one by one', async () => {
    const objects = await render({
      'kustomization.yaml': 'resources: [r.yaml]\nimages: [{name: app, newTag: v2}]\n',
      'r.yaml': `apiVersion: example.com/v1
kind: Custom
metadata: {name: c}
spec:
  first: &pod
    containers: [{image: app}]
  second: {containers: [{image: other}]}
  third: *pod
  fourth: {<<: *pod, name: four}
data: &pod {x: 1}
status: *pod
`,
    });
    expect(objects).toEqual([
      {
        apiVersion: 'example.com/v1',
        kind: 'Custom',
        metadata: { name: 'c' },
        spec: {
          first: { containers: [{ image: 'app:v2' }] },
          second: { containers: [{ image: 'other' }] },
          third: { containers: [{ image: 'app:v2' }] },
          fourth: { containers: [{ image: 'app:v2' }], name: 'four' },
        },
        data: { x: 1 },
        status: { x: 1 },
      },
    ]);
  });

  test('tell the places they come from, relative to where the command runs', async () => {
    const files = {
      'config/kustomization.yaml': 'resources: [r.yaml]\n',
      'config/r.yaml': config('a') + '---\n' + config('b'),
    };
    await inFolder(files, async (root) => {
      const places = (await renderKustomization('config', { cwd: root })).map(({ where }) => where);
      expect(places).toEqual([
        { file: 'config/r.yaml', line: 1, column: 1 },
        { file: 'config/r.yaml', line: 3, column: 1 },
      ]);
      const elsewhere = await renderKustomization(join(root, 'config'), { cwd: join(root, 'config') });
      expect(elsewhere[0]?.where).toEqual({ file: 'r.yaml', line: 1, column: 1 });
    });
  });

  test('may be links to files of the folder', async () => {
    const files = { 'kustomization.yaml': 'resources: [link.yaml]\n', 'sub/r.yaml': config('a') };
    await inFolder(files, async (root) => {
      symlinkSync('sub/r.yaml', join(root, 'link.yaml'));
      const [object] = await renderKustomization('.', { cwd: root });
      expect(object?.where).toEqual({ file: 'sub/r.yaml', line: 1, column: 1 });
    });
  });
});

describe('components', () => {
  test('add to, and change, what their parent has gathered so far', async () => {
    const objects = await render(
      {
        'top/kustomization.yaml': 'resources: [r.yaml]\ncomponents: [../component]\nnameSuffix: -top\n',
        'top/r.yaml': config('parent'),
        'component/kustomization.yaml':
          'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [r.yaml]\nnamePrefix: c-\n',
        'component/r.yaml': config('own'),
      },
      'top',
    );
    expect(idsOf(objects)).toEqual(['ConfigMap c-own-top', 'ConfigMap c-parent-top']);
  });

  test('come before the patches and labels of their parent', async () => {
    const [object] = await render({
      'kustomization.yaml':
        'resources: [r.yaml]\ncomponents: [component]\nlabels: [{pairs: {from: parent}}]\n',
      'r.yaml': config('a'),
      'component/kustomization.yaml':
        'kind: Component\nlabels: [{pairs: {from: component, own: component}}]\n',
    });
    expect(object).toHaveProperty('metadata.labels', { from: 'parent', own: 'component' });
  });
});

describe('op-sdk kustomize build', () => {
  const files = {
    'kustomization.yaml': 'resources: [r.yaml]\nnamePrefix: p-\n',
    'r.yaml': config('b') + '---\n' + config('a'),
  };
  const yaml = `apiVersion: v1
kind: ConfigMap
metadata:
  name: p-a
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: p-b
`;

  test('prints the documents, or the objects as JSON', async () => {
    await inFolder(files, async (root) => {
      expect(await runCli(['kustomize', 'build', '.'], { cwd: root })).toMatchObject({
        code: 0,
        stdout: yaml,
      });
      const { stdout } = await runCli(['kustomize', 'build', '-o', 'json'], { cwd: root });
      expect(JSON.parse(stdout)).toMatchObject({
        ok: true,
        result: { objects: [{ metadata: { name: 'p-a' } }, { metadata: { name: 'p-b' } }] },
      });
    });
  });

  test('writes them into a file, but not in a dry run or after an error', async () => {
    await inFolder(files, async (root) => {
      const build = (...words: string[]) => runCli(['kustomize', 'build', ...words], { cwd: root });
      expect(await build('--output-file', 'out.yaml', '--dry-run')).toMatchObject({ code: 0, stdout: '' });
      expect(await build('missing', '--output-file', 'out.yaml')).toMatchObject({ code: 1 });
      expect(await build('--output-file', 'no/out.yaml')).toMatchObject({ code: 2 });
      const { existsSync, readFileSync } = await import('node:fs');
      expect(existsSync(join(root, 'out.yaml'))).toBe(false);
      expect(await build('--output-file', 'out.yaml')).toMatchObject({ code: 0, stdout: '' });
      expect(readFileSync(join(root, 'out.yaml'), 'utf8')).toBe(yaml);
      expect((await build('--output-file', 'out.yaml')).stderr).toContain('unchanged');
    });
  });
});
