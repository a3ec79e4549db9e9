// What a deploy would delete is part of what it would change.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';
import { clientOf } from './helpers.ts';
import { codesIn, deployedFolder, operator, settings, type DeployedFolder } from './inventory-helpers.ts';
import { ConfigMap } from './kinds.ts';

let client: KubeClient;
let namespace: string;
let folder: DeployedFolder;
/** The prefix of the operator of a test. */
let name: string;
let main: object;
beforeAll(async () => {
  const plane = await sharedControlPlane();
  client = await clientOf(plane);
  namespace = await uniqueNamespace(plane, 'diff-pruned');
});
afterAll(() => client.close());
beforeEach(async () => {
  folder = await deployedFolder((await sharedControlPlane()).kubeconfig);
  name = uniqueName('op');
  main = operator(name, namespace);
  return () => folder[Symbol.asyncDispose]();
});

const secret = (which: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: which, namespace },
  stringData: { password: value },
});

describe('op-sdk diff', () => {
  test('lists what has left the manifests, and shows it as pruned with --prune', async () => {
    await folder.deploy([
      main,
      { ...settings(name, namespace), data: { key: 'value' } },
      secret(name, 'secret-1'),
    ]);
    expect(await folder.run('diff', [main, settings(`${name}-new`, namespace)], '--no-prune')).toMatchObject({
      code: 1,
      stderr: '',
    });

    const listed = await folder.run('diff', [main]);
    expect(listed.code).toBe(0);
    expect(codesIn(listed.stderr)).toEqual(['cluster/left-over']);
    expect(listed.stderr).toContain(`configmap/${name} (namespace ${namespace})`);
    expect(listed.stderr).toContain('op-sdk deploy --dir .');

    const shown = await folder.run('diff', [main], '--prune');
    expect([shown.code, shown.stderr]).toEqual([1, '']);
    expect(shown.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        `deployment.apps/${name}-controller-manager unchanged`,
        `configmap/${name} pruned`,
        `--- cluster/${namespace}/configmap/${name}`,
        '+++ /dev/null',
        '-  key: value',
        `secret/${name} pruned`,
        '2 pruned, 1 unchanged',
      ]),
    );
    expect(shown.stdout).not.toContain(Buffer.from('secret-1').toString('base64'));

    const json = await folder.run('diff', [main], '--prune', '-o', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      result: {
        pruned: 2,
        unchanged: 1,
        objects: expect.arrayContaining([
          { apiVersion: 'v1', kind: 'ConfigMap', name, namespace, action: 'pruned' },
        ]) as unknown,
      },
    });

    expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
    await folder.deploy([main], '--prune');
    expect((await folder.run('diff', [main], '--prune')).code).toBe(0);
  });

  test('names what is never pruned, and does not count it', async () => {
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await folder.deploy([main, space]);
    const run = await folder.run('diff', [main], '--prune');
    expect(run.code).toBe(0);
    expect(codesIn(run.stderr)).toEqual(['cluster/not-pruned']);
  });

  test('finds no leftovers before the first deploy, nor for another operator, and records nothing', async () => {
    await folder.deploy([main, settings(name, namespace)]);
    const other = uniqueName('op');
    const run = await folder.run('diff', [operator(other, namespace), settings(name, namespace)], '--prune');
    expect([run.code, run.stderr]).toEqual([1, '']);
    expect(run.stdout).toContain(`deployment.apps/${other}-controller-manager created`);
    expect(run.stdout).not.toMatch(/ pruned$/m);
    expect(await client.find(Secret, { name: `${other}-applyset`, namespace })).toBeUndefined();
  });

  test('needs the operator for --prune', async () => {
    const run = await folder.run('diff', [settings(name, namespace)], '--prune');
    expect(run.code).toBe(3);
    expect(codesIn(run.stderr)).toEqual(['cluster/no-inventory']);
    expect((await folder.run('diff', [settings(name, namespace)])).stderr).toBe('');
  });
});
