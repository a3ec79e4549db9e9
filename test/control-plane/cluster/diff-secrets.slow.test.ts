// What `diff` says of Secrets beside what an apply then makes of them, whoever has written them before and by which of the two fields.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalResource, type KubeObject } from '../../../src/sdk/api/index.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { applyObjects, diffObjects } from '../../../src/cluster/index.ts';
import { comparableObject } from '../../../src/cluster/changes/compare-objects.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { apply, clientOf, manifest } from './helpers.ts';

interface SecretValues {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

const Secret = externalResource<KubeObject & SecretValues>({
  ...{ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' },
});
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let client: KubeClient;
let kubectl: KubeClient;
let other: KubeClient;
let kubeconfig: string;
let namespace: string;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  kubeconfig = plane.kubeconfig;
  client = await clientOf(plane);
  kubectl = await clientOf(plane, { fieldManager: 'kubectl-client-side-apply' });
  other = await clientOf(plane, { fieldManager: 'other' });
  namespace = await uniqueNamespace(plane, 'diff-secrets');
});
afterAll(() => Promise.all([client.close(), kubectl.close(), other.close()]));

const secret = (name: string, values: SecretValues) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, ...values },
});

/** Who has written the Secret before, and how. */
const writers: Readonly<Record<string, (name: string, values: SecretValues) => Promise<void>>> = {
  'op-sdk': async (name: string, values: SecretValues) =>
    void (await apply(client, manifest(secret(name, values)))),
  'kubectl apply': async (name: string, values: SecretValues) => {
    const wanted = secret(name, values);
    const annotation = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(wanted) };
    await kubectl.create(Secret, { ...wanted, metadata: { ...wanted.metadata, annotations: annotation } });
  },
  'kubectl create': async (name: string, values: SecretValues) =>
    void (await other.create(Secret, secret(name, values))),
  'another applier': async (name: string, values: SecretValues) =>
    void (await other.apply(Secret, secret(name, values))),
  'kubectl apply beside another applier': async (name: string, values: SecretValues) => {
    await writers['kubectl apply']?.(name, values);
    await other.apply(Secret, secret(name, { stringData: { b: same } }), { force: true });
  },
  'op-sdk and then kubectl apply': async (name: string, values: SecretValues) => {
    await writers['op-sdk']?.(name, values);
    const { data: values64 } = await client.get(Secret, { name, namespace });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const body = { metadata: { annotations }, data: { ...values64, z: base64(old) } };
    await kubectl.patch(Secret, { name, namespace }, { type: 'merge', body });
  },
};

const [old, same, fresh, more] = ['hidden-old', 'hidden-same', 'hidden-fresh', 'hidden-more'];
const data = { a: base64(old), b: base64(same) };
const stringData = { a: old, b: same };
const befores: readonly SecretValues[] = [
  { data },
  { stringData },
  { data: { a: base64(old) }, stringData: { b: same } },
];
const afters: Readonly<Record<string, SecretValues>> = {
  'the same by stringData': { stringData },
  'the same by data': { data },
  'a new key in stringData': { stringData: { ...stringData, c: more } },
  'a new key in stringData beside data': { data, stringData: { c: more } },
  'a changed key of stringData': { stringData: { a: fresh, b: same } },
  'stringData that overrides data': { data, stringData: { a: fresh } },
  'stringData that says what data says': { data, stringData: { a: old } },
  'one key less in stringData': { stringData: { a: old } },
  'one key less, the other changed': { stringData: { a: fresh } },
  'no key at all': {},
};

test.each(Object.entries(writers))(
  'diff shows of a Secret what an apply makes of it, after %s',
  async (_writer, write) => {
    for (const before of befores) {
      for (const [title, values] of Object.entries(afters)) {
        const name = uniqueName();
        await write(name, before);
        const stored = await client.get(Secret, { name, namespace });
        const objects = manifest(secret(name, values));
        const [planned] = await applyObjects({ client, objects, dryRun: true });
        const [shown] = await diffObjects({ client, objects });
        expect(await client.get(Secret, { name, namespace })).toEqual(stored);
        await applyObjects({ client, objects });
        const live = await client.get(Secret, { name, namespace });
        const place = `${title}, of ${JSON.stringify(before)}`;
        expect(planned?.live && comparableObject(planned.live), place).toEqual(comparableObject(live));
        // As the keys tell which values differ, so do the changes that are shown.
        const keys = [...new Set([...Object.keys(stored.data ?? {}), ...Object.keys(live.data ?? {})])];
        const changed = keys
          .filter((key) => stored.data?.[key] !== live.data?.[key])
          .map((key) => `.data.${key}`);
        const paths = shown?.changes.map(({ path }) => path).filter((path) => path.startsWith('.data.'));
        if (stored.data !== undefined && live.data !== undefined)
          expect(paths?.toSorted(), place).toEqual(changed.toSorted());
        const text = JSON.stringify([shown?.changes, shown?.before, shown?.after]);
        for (const value of [old, same, fresh, more])
          for (const each of [value, base64(value)]) expect(text).not.toContain(each);
      }
    }
  },
);

test('diff shows a key of stringData as added and changed, never as removed, and no value', async () => {
  const name = uniqueName();
  await writers['kubectl apply']?.(name, { stringData: { a: old, b: same } });
  const wanted = JSON.stringify(secret(name, { stringData: { a: fresh, b: same, c: more } }));
  const argv = ['diff', '-f', '-', '-o', 'json', '--kubeconfig', kubeconfig];
  const { stdout } = await runCli(argv, { stdin: wanted });
  expect(JSON.parse(stdout)).toMatchObject({
    result: {
      objects: [
        {
          action: 'changed',
          changes: [
            { path: '.data.a', before: '*** (before)', after: '*** (after)' },
            { path: '.data.c', after: '***' },
          ],
        },
      ],
    },
  });
  expect(stdout).not.toContain('hidden');
});
