// Mistakes that everybody makes once, and what the compiler says of them: short, and about the mistake. UPDATE_GOLDEN=1 writes the texts.
import { describe, expect, test } from 'vitest';
import { compileSnippets } from '../../../helpers/compile-snippets.ts';

const site = `
import { defineResource, type Condition, type CustomResource, type Int32, type ListMap } from 'opsdk';
export interface Site extends CustomResource<'web.example.com/v1', 'Site'> {
  spec: { host: string; replicas?: Int32; secretName?: string };
  status?: { readyReplicas?: Int32; conditions?: ListMap<Condition, 'type'> };
}
export const Site = defineResource<Site>({ group: 'web.example.com', version: 'v1', kind: 'Site' });
`;

const declarations = {
  site: 'declare const site: Stored<Site>;',
  deployment: 'declare const deployment: Stored<Deployment>;',
  client: 'declare const client: ControllerClient;',
  key: 'declare const key: ObjectKey;',
  reconcile: 'declare function reconcile(site: Stored<Site>, context: ReconcileContext): Promise<void>;',
};

const mistakes = {
  'a duration with a space and a word': `return requeueAfter('30 sec');`,
  'a duration without a unit': `return every('10', () => []);`,
  'a duration of the spec': `return requeueAfter(site.spec.host);`,
  'requeueAfter that is not called': `
export const controller = defineController({
  for: Site,
  async reconcile() {
    return requeueAfter;
  },
});`,
  'a duration returned by itself': `
export const controller = defineController({
  for: Site,
  async reconcile() {
    return '30s';
  },
});`,
  'requeue, as in controller-runtime': `
export const controller = defineController({
  for: Site,
  async reconcile() {
    return { requeue: true };
  },
});`,
  'a status field that the kind does not have': `await client.applyStatus(Site, key, { readyReplica: 1 });`,
  'a status field of another type': `await client.applyStatus(Site, key, { readyReplicas: '1' });`,
  'a status field of the wrong kind': `await client.applyStatus(Deployment, key, { readyPods: 1 });`,
  'the whole object for the status': `await client.applyStatus(Site, key, { status: { readyReplicas: 1 } });`,
  'writing to an object of the cache': `site.spec.replicas = 3;`,
  'writing to a map of the cache': `
if (deployment.metadata.labels) deployment.metadata.labels['a'] = 'b';`,
  'a condition type of others': `conditionsOf(site, ['Ready']).true('Degraded', 'PodsNotReady');`,
  'conditions as an object': `await client.applyStatus(Site, key, { conditions: conditionsOf(site, ['Ready']) });`,
  'an index key of another type': `
const byReplicas = defineIndex(Site, 'replicas', (each) => each.spec.replicas);`,
  'a number for an index': `
const byHost = defineIndex(Site, 'host', (each) => each.spec.host);
await client.byIndex(byHost, 3);`,
  'a key that the index cannot have': `
const bySize = defineIndex(Site, 'size', (each) => (each.spec.replicas === 1 ? 'small' : 'large'));
await client.byIndex(bySize, 'medium');`,
  'map that gives names': `
watch(Secret, { map: (secret) => [secret.metadata.name] });`,
  'map that gives one key': `
watch(Secret, { map: (secret) => secret.metadata });`,
  'map that gives names later': `
watch(Secret, { map: async (secret) => [secret.metadata.name] });`,
  'map that gives names, in a controller': `
defineController({
  for: Site,
  watches: [watch(Secret, { map: async (secret) => [secret.metadata.name] })],
  reconcile,
});`,
  'a kind in watches, without watch': `
defineController({ for: Site, watches: [Secret], reconcile });`,
  'an object of another kind': `await client.update(Deployment, mutableCopy(site));`,
  'an object of another kind to apply': `
await client.apply(Deployment, { metadata: { name: 'web' }, spec: { host: 'a' } });`,
  'apply without a name': `await client.apply(Deployment, { spec: { replicas: 1 } });`,
  'a misspelt field to apply': `
await client.apply(Deployment, { metadata: { name: 'web' }, spec: { replica: 1 } });`,
  'a misspelt field, deep in apply': `
await client.apply(Deployment, {
  metadata: { name: 'web' },
  spec: { template: { spec: { containers: [{ name: 'web', imagePullPolicy: 'always' }] } } },
});`,
  'a container without a name': `
await client.apply(Deployment, {
  metadata: { name: 'web' },
  spec: { template: { spec: { containers: [{ image: 'nginx' }] } } },
});`,
  'the name instead of the key': `await client.get(Site, 'web');`,
  'a version that is not that of the interface': `
defineResource<Site>({ group: 'web.example.com', version: 'v2', kind: 'Site' });`,
  'the kind as text': `defineController({ for: 'Site', reconcile });`,
  'a controller without reconcile': `defineController({ for: Site });`,
  'finalize that says whether it is done': `
defineController({
  for: Site,
  reconcile,
  async finalize() {
    return true;
  },
});`,
  'a finalizer without a domain': `
defineController({ for: Site, reconcile, finalizer: 'cleanup', async finalize() {} });`,
  'a predicate that gives nothing': `
defineController({ for: Site, predicates: [({ object }) => { object.spec.replicas; }], reconcile });`,
  'the state before of any change': `
defineController({ for: Site, predicates: [({ oldObject }) => oldObject !== undefined], reconcile });`,
  'a predicate that is not in a list': `
defineController({ for: Site, predicates: generationChanged, reconcile });`,
};

/** The compiler walks from the function over its type and its promise to what is returned: one line more. */
const returns = [
  'requeueAfter that is not called',
  'a duration returned by itself',
  'requeue, as in controller-runtime',
  'finalize that says whether it is done',
];

const found = compileSnippets({
  snippets: Object.fromEntries(Object.entries(mistakes).map(([name, code]) => [name, code.trim()])),
  modules: { 'site.ts': site },
  declarations,
});

describe('the compiler', () => {
  test.each(Object.entries(found))('finds, in few words: %s', (name, errors) => {
    expect(errors).toHaveLength(1);
    expect(errors.join('\n').split('\n').length).toBeLessThanOrEqual(returns.includes(name) ? 4 : 3);
  });

  test('says what is wrong', async () => {
    const text = Object.entries(found).map(([name, errors]) => `## ${name}\n\n${errors.join('\n')}\n`);
    await expect(text.join('\n')).toMatchFileSnapshot('common-mistakes.txt');
  });
});
