// images and replicas. Everything here was compared with kustomize 5.
import { describe, expect, test } from 'vitest';
import { documents, manifest, refusals, render } from './render.ts';

const digest = `sha256:${'0'.repeat(64)}`;

async function imageOf(image: string, rule: string): Promise<unknown> {
  const [object] = await render({
    'kustomization.yaml': `resources: [r.yaml]\nimages: [${rule}]\n`,
    'r.yaml': manifest('v1', 'Pod', 'a', { spec: { containers: [{ image }] } }),
  });
  return (object?.['spec'] as { containers: { image: unknown }[] }).containers[0]?.image;
}

describe('images', () => {
  test.each([
    ['app', '{name: app, newTag: v2}', 'app:v2'],
    ['app:v1', '{name: app, newName: my/app}', 'my/app:v1'],
    ['app:v1', '{name: app, newName: host:5000/app, newTag: v2}', 'host:5000/app:v2'],
    ['app:v1', `{name: app, digest: "${digest}"}`, `app@${digest}`],
    ['app:v1', `{name: app, newTag: v2, digest: "${digest}"}`, `app:v2@${digest}`],
    [`app:v1@${digest}`, '{name: app, newTag: v2}', 'app:v2'],
    [`app@${digest}`, '{name: app, newName: b}', `b@${digest}`],
    ['host:5000/app', '{name: "host:5000/app", newTag: v2}', 'host:5000/app:v2'],
    ['host:5000/app:v1', '{name: "host:5000/app", newName: app}', 'app:v1'],
    ['other/app:v1', '{name: app, newTag: v2}', 'other/app:v1'],
    ['apple:v1', '{name: app, newTag: v2}', 'apple:v1'],
    // kustomize passes twice, and a dot is any character to it.
    ['app:v1', '{name: app, tagSuffix: -x}', 'app:v1-x-x'],
    ['a-b:v1', '{name: a.b, newTag: v2}', 'a-b:v2'],
    ['app:v1', '{name: app, newName: "", newTag: ""}', 'app:v1'],
  ])('%s by %s is %s', async (image, rule, expected) => {
    expect(await imageOf(image, rule)).toBe(expected);
  });

  test('are found in containers anywhere and in image volumes, but not in CRDs', async () => {
    const objects = await render({
      'kustomization.yaml': 'resources: [r.yaml]\nimages: [{name: app, newTag: v2}]\n',
      'r.yaml': documents(
        manifest('example.com/v1', 'Custom', 'c', {
          spec: { deep: [{ initContainers: [{ image: 'app' }, { name: 'none' }, null] }], image: 'app' },
        }),
        manifest('v1', 'Pod', 'p', {
          spec: { volumes: [{ image: { reference: 'app' } }], containers: null },
        }),
        manifest('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'd', {
          spec: { containers: [{ image: 'app' }] },
        }),
      ),
    });
    expect(objects.map(({ spec }) => spec)).toEqual([
      { containers: [{ image: 'app' }] },
      { deep: [{ initContainers: [{ image: 'app:v2' }, { name: 'none' }, null] }], image: 'app' },
      { volumes: [{ image: { reference: 'app:v2' } }], containers: [] },
    ]);
  });

  test('of the wrong shape are refused', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\nimages: [{name: app, newTag: v2}]\n',
      'r.yaml': documents(
        manifest('v1', 'Pod', 'a', { spec: { containers: [{ image: {} }] } }),
        manifest('example.com/v1', 'Custom', 'b', { spec: { containers: ['app'] } }),
      ),
    };
    expect(await refusals(files)).toEqual([
      'r.yaml:1:1 kustomize/unexpected-shape',
      'r.yaml:3:1 kustomize/unexpected-shape',
    ]);
  });

  test('imageTags is the former name', async () => {
    const [object] = await render({
      'kustomization.yaml': 'resources: [r.yaml]\nimageTags: [{name: app, newTag: v2}]\n',
      'r.yaml': manifest('v1', 'Pod', 'a', { spec: { containers: [{ image: 'app' }] } }),
    });
    expect(object?.['spec']).toEqual({ containers: [{ image: 'app:v2' }] });
  });
});

describe('replicas', () => {
  test('are set by the original name, and made if missing', async () => {
    const objects = await render({
      'kustomization.yaml': 'resources: [r.yaml]\nnamePrefix: p-\nreplicas: [{name: web, count: 3}]\n',
      'r.yaml': documents(
        manifest('apps/v1', 'Deployment', 'web'),
        manifest('apps/v1', 'StatefulSet', 'web', { spec: { replicas: 1 } }),
        manifest('apps/v1', 'DaemonSet', 'web'),
      ),
    });
    expect(objects.map(({ kind, spec }) => [kind, spec])).toEqual([
      ['Deployment', { replicas: 3 }],
      ['StatefulSet', { replicas: 3 }],
      ['DaemonSet', undefined],
    ]);
  });

  test('for nothing are refused', async () => {
    const files = {
      'kustomization.yaml':
        'resources: [r.yaml]\nreplicas:\n- {name: wep, count: 3}\n- {name: web, count: 3}\n',
      'r.yaml': manifest('apps/v1', 'DaemonSet', 'web'),
    };
    expect(await refusals(files)).toEqual([
      'kustomization.yaml:3:3 kustomize/no-target',
      'kustomization.yaml:4:3 kustomize/no-target',
    ]);
  });
});
