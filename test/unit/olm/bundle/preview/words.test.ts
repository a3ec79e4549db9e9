// Permissions and webhooks in words.
import { expect, test } from 'vitest';
import { verbsInWords } from '../../../../../src/olm/bundle/preview/render-operator.ts';
import { previewSite } from '../../../../../src/olm/bundle/preview/preview-site.ts';
import { validateBundle } from '../../../../../src/olm/bundle/index.ts';
import { hubFolder } from '../publish/hub-bundle.ts';
import type { Loose } from '../objects.ts';

test.each([
  [['get', 'list', 'watch'], 'read'],
  [['get', 'list', 'watch', 'patch', 'update'], 'read and change'],
  [['create', 'delete', 'deletecollection', 'get', 'list', 'watch'], 'read, create and delete'],
  [['get'], 'get'],
  [['list', 'watch', 'create'], 'list, watch and create'],
  [['*'], 'do everything with'],
  [['impersonate'], 'impersonate'],
])('%j is %j', (verbs, words) => {
  expect(verbsInWords(verbs)).toBe(words);
});

async function shown(change: (csv: Loose) => void): Promise<string> {
  const cwd = hubFolder(({ csv }) => change(csv));
  const { files } = await previewSite([await validateBundle('bundle', { cwd })], false);
  return files.get('index.html') ?? '';
}

const rules =
  (...all: Loose[]) =>
  (csv: Loose) => {
    csv.spec.install.spec.clusterPermissions = [{ serviceAccountName: 'web', rules: all }];
  };

test.each([
  ['all Secrets', { apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
  ['all Secrets', { apiGroups: ['*'], resources: ['*'], verbs: ['get'] }],
  [
    'can gain further permissions',
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['bind'] },
  ],
  ['also what is added to the cluster later', { apiGroups: ['batch'], resources: ['*'], verbs: ['get'] }],
])('the note %j is on %j', async (note, rule) => {
  expect(await shown(rules(rule))).toMatch(new RegExp(`<strong class="warning">[^<]*${note}`));
});

test('what is limited to names has no note', async () => {
  const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: ['web'], verbs: ['get'] };
  expect(await shown(rules(rule))).not.toContain('<strong class="warning">');
});

test.each([
  [
    {
      type: 'MutatingAdmissionWebhook',
      rules: [{ apiGroups: [''], operations: ['*'], resources: ['pods'] }],
    },
    'It may change every operation of pods (web).',
  ],
  [
    { type: 'ConversionWebhook', conversionCRDs: ['sites.example.com'] },
    'It converts sites.example.com between versions (web).',
  ],
])('a webhook %j', async (webhook, words) => {
  const html = await shown((csv) => (csv.spec.webhookdefinitions = [{ generateName: 'web', ...webhook }]));
  expect(html).toContain(`<p>${words}</p>`);
});
