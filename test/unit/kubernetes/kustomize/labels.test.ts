// labels, commonLabels and commonAnnotations. Everything here was compared with kustomize 5.
import { describe, expect, test } from 'vitest';
import { documents, manifest, refusals, render } from './render.ts';

const deployment = manifest('apps/v1', 'Deployment', 'web', {
  spec: {
    template: { spec: { topologySpreadConstraints: [{ labelSelector: { matchLabels: { a: '1' } } }] } },
  },
});

const labelled = (kustomization: string, ...resources: readonly string[]) =>
  render({
    'kustomization.yaml': `resources: [r.yaml]\n${kustomization}\n`,
    'r.yaml': documents(...resources),
  });

describe('labels', () => {
  test('go to the object only', async () => {
    const [object] = await labelled('labels: [{pairs: {l: v}}]', deployment);
    expect(object).toMatchObject({ metadata: { labels: { l: 'v' } } });
    expect(object?.['spec']).not.toHaveProperty('selector');
    expect(object).not.toHaveProperty('spec.template.metadata');
  });

  test('go to templates with includeTemplates', async () => {
    const [object] = await labelled('labels: [{pairs: {l: v}, includeTemplates: true}]', deployment);
    expect(object).toHaveProperty('spec.template.metadata.labels', { l: 'v' });
    expect(object).not.toHaveProperty('spec.selector');
  });

  test.each(['labels: [{pairs: {l: v}, includeSelectors: true}]', 'commonLabels: {l: v}'])(
    'go to selectors, too: %s',
    async (kustomization) => {
      const service = manifest('v1', 'Service', 'web', { spec: { selector: null } });
      const policy = manifest('networking.k8s.io/v1', 'NetworkPolicy', 'web', {
        spec: { podSelector: {}, ingress: [{ from: [{ podSelector: { matchLabels: { a: '1' } } }] }] },
      });
      const set = manifest('apps/v1', 'StatefulSet', 'db', { spec: { volumeClaimTemplates: [{}] } });
      const objects = await labelled(kustomization, deployment, service, policy, set);
      const [first, second, third, fourth] = objects;
      expect(first).toMatchObject({ kind: 'Service', spec: { selector: { l: 'v' } } });
      expect(second).toMatchObject({
        spec: {
          selector: { matchLabels: { l: 'v' } },
          template: {
            metadata: { labels: { l: 'v' } },
            spec: { topologySpreadConstraints: [{ labelSelector: { matchLabels: { a: '1', l: 'v' } } }] },
          },
        },
      });
      expect(third).toMatchObject({
        spec: { volumeClaimTemplates: [{ metadata: { labels: { l: 'v' } } }] },
      });
      // Selectors of policies are never made, for an empty one means all pods.
      expect(fourth?.['spec']).toEqual({
        podSelector: {},
        ingress: [{ from: [{ podSelector: { matchLabels: { a: '1', l: 'v' } } }] }],
      });
    },
  );

  test('go to fields of the user', async () => {
    const custom = manifest('example.com/v1', 'Custom', 'c', { spec: { 'a/b': {} } });
    const [object] = await labelled(
      'labels: [{pairs: {l: v}, fields: [{path: spec/a\\/b/labels, kind: Custom, create: true}]}]',
      custom,
    );
    expect(object?.['spec']).toEqual({ 'a/b': { labels: { l: 'v' } } });
    expect(object).toHaveProperty('metadata.labels', { l: 'v' });
  });

  test("a user's field takes the place of kustomize's own for the same path", async () => {
    const objects = await labelled(
      'labels: [{pairs: {l: v}, fields: [{path: metadata/labels, kind: Deployment, create: true}]}]',
      deployment,
      manifest('v1', 'ConfigMap', 'c'),
    );
    expect(objects.map(({ metadata }) => metadata)).toEqual([
      { name: 'c' },
      { name: 'web', labels: { l: 'v' } },
    ]);
  });

  test('annotations go to the object and its templates; empty ones vanish', async () => {
    const job = manifest('batch/v1', 'CronJob', 'j', { metadata: { annotations: {} } });
    const [config, cron] = await labelled(
      'commonAnnotations: {a: "1"}',
      job,
      manifest('v1', 'ConfigMap', 'c'),
    );
    expect(config?.['metadata']).toEqual({ name: 'c', annotations: { a: '1' } });
    expect(cron).toHaveProperty('spec.jobTemplate.metadata.annotations', { a: '1' });
    expect(cron).toHaveProperty('spec.jobTemplate.spec.template.metadata.annotations', { a: '1' });
    const [alone] = await labelled('namePrefix: p-', job);
    expect(alone?.['metadata']).toEqual({ name: 'p-j' });
  });

  test('__proto__ is a label like others', async () => {
    const [object] = await labelled('commonLabels: {__proto__: v}', manifest('v1', 'ConfigMap', 'c'));
    const { labels } = object?.['metadata'] as { labels: object };
    expect(Object.entries(labels)).toEqual([['__proto__', 'v']]);
  });

  test('what cannot take labels is refused', async () => {
    const files = {
      'kustomization.yaml': 'resources: [r.yaml]\ncommonLabels: {l: v}\n',
      'r.yaml': documents(
        manifest('v1', 'Service', 'a', { spec: { selector: 'x' } }),
        manifest('apps/v1', 'Deployment', 'b', { spec: 'x' }),
      ),
    };
    expect(await refusals(files)).toEqual([
      'r.yaml:1:1 kustomize/unexpected-shape',
      'r.yaml:3:1 kustomize/unexpected-shape',
    ]);
  });

  test("fields that disagree with kustomize's own are refused", async () => {
    const files = {
      'kustomization.yaml':
        'resources: [r.yaml]\nlabels:\n- pairs: {l: v}\n  fields: [{path: metadata/labels}]\n',
      'r.yaml': manifest('v1', 'ConfigMap', 'a'),
    };
    expect(await refusals(files)).toEqual(['kustomization.yaml:3:3 kustomize/invalid-value']);
  });
});

// To kustomize the label is one value in all of its places, so that all of them change.
test('a variable in a label, where only the labels of the object are for variables', async () => {
  const files = (kustomization: string) => ({
    'kustomization.yaml': `resources: [r.yaml]\nvars: [{name: A, objref: {apiVersion: v1, kind: Service, name: s}}]\n${kustomization}\n`,
    'r.yaml': documents(manifest('v1', 'Service', 's'), manifest('apps/v1', 'Deployment', 'web')),
  });
  const code = 'kustomize/replacement-failed';
  expect(await refusals(files('commonLabels: {l: $(A)}'))).toEqual([
    `r.yaml:1:1 ${code}`,
    `r.yaml:3:1 ${code}`,
    `r.yaml:3:1 ${code}`,
  ]);
  expect(await refusals(files('labels: [{pairs: {l: x-$(A)}, includeTemplates: true}]'))).toEqual([
    `r.yaml:3:1 ${code}`,
  ]);
  const objects = await render(files('labels: [{pairs: {l: $(A), m: $(B)}}]'));
  for (const object of objects) expect(object).toMatchObject({ metadata: { labels: { l: 's', m: '$(B)' } } });
});
