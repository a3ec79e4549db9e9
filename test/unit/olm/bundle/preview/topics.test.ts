// What the findings of a bundle are shown beside.
import { expect, test } from 'vitest';
import { findingsByTopic, type Topic } from '../../../../../src/olm/bundle/preview/render-operator.ts';
import { validateBundle } from '../../../../../src/olm/bundle/index.ts';
import type { Loose } from '../objects.ts';
import { hubFolder } from '../publish/hub-bundle.ts';

const topics: readonly Topic[] = [
  'summary',
  'description',
  'kinds',
  'permissions',
  'channels',
  'other',
  0,
  1,
];

test.each<[string, Topic, (bundle: Loose) => void]>([
  ['bundle/capability-level', 'summary', ({ csv }) => (csv.metadata.annotations.capabilities = 'Perfect')],
  ['bundle/script', 'description', ({ csv }) => (csv.spec.description = '<script>')],
  ['bundle/invalid-example', 'kinds', ({ csv }) => (csv.metadata.annotations['alm-examples'] = '{')],
  [
    'bundle/not-for-olm-v1',
    'kinds',
    ({ csv }) =>
      (csv.spec.customresourcedefinitions.required = [{ name: 'a.example.org', version: 'v1', kind: 'A' }]),
  ],
  ['bundle/invalid-icon', 'summary', ({ csv }) => (csv.spec.icon[0].mediatype = 'image/x')],
])('%s is beside: %s', async (code, topic, change) => {
  const verdict = await validateBundle('bundle', { cwd: hubFolder(change), optional: ['capabilities'] });
  const about = findingsByTopic(verdict);
  const found = topics.filter((each) => about(each).some((finding) => finding.code === code));
  expect(verdict.results.map(({ rule }) => rule)).toContain(code);
  expect(found).toEqual([topic]);
});

test('a finding in a definition is beside its kind', async () => {
  const cwd = hubFolder(
    ({ crd }) => (crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.type = 'text'),
  );
  const verdict = await validateBundle('bundle', { cwd });
  const about = findingsByTopic(verdict);
  expect(about(0).map(({ where }) => where)).toEqual(
    about(0).map(() => expect.objectContaining({ file: 'bundle/manifests/crd.yaml' })),
  );
  expect(about(0).length).toBeGreaterThan(0);
});

test('each finding is beside one thing', async () => {
  const cwd = hubFolder(({ csv, crd, annotations }) => {
    csv.spec.version = 'one';
    csv.spec.description = '<script>';
    csv.spec.links = [{ name: 'a', url: 'b' }];
    crd.spec.scope = 'Everywhere';
    annotations['operators.operatorframework.io.bundle.channels.v1'] = '';
  });
  const verdict = await validateBundle('bundle', { cwd });
  const about = findingsByTopic(verdict);
  const shown = topics.flatMap((topic) => about(topic).flatMap(({ validators }) => validators));
  expect(verdict.results.length).toBeGreaterThan(4);
  expect(shown).toHaveLength(verdict.results.length);
});
