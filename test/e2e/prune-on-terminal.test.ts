// Whether what has left the manifests is deleted is asked for on a terminal: only a process of its own has one.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigMap } from '../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { deployedFolder, operator, settings } from '../control-plane/cluster/inventory-helpers.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../helpers/control-plane.ts';
import { hasTerminal, onTerminal } from '../helpers/on-terminal.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));

describe.runIf(hasTerminal)('on a terminal', () => {
  let client: KubeClient;
  let kubeconfig: string;
  let namespace: string;
  beforeAll(async () => {
    const plane = await sharedControlPlane();
    ({ kubeconfig } = plane);
    namespace = await uniqueNamespace(plane, 'asked');
    const cluster = await loadCluster({ kubeconfig, env: {} });
    client = createClient({ cluster, fieldManager: 'op-sdk', onWarning: () => undefined });
  });
  afterAll(() => client.close());

  test.each(['deploy', 'undeploy'] as const)('%s prunes only after a confirmation', async (command) => {
    const name = uniqueName('asked');
    const main = operator(name, namespace);
    await using folder = await deployedFolder(kubeconfig);
    await folder.deploy([main, settings(name, namespace)]);
    await folder.run('deploy', [main]);
    const line = ['exec', process.execPath, opSdk, command, '--dir . --no-wait --kubeconfig', kubeconfig];
    const question = command === 'deploy' ? 'Delete these objects?' : 'Delete these objects too?';
    const answered = (typed: string) =>
      onTerminal(line.join(' '), { cwd: folder.path, env: process.env, answers: [[question, typed]] });

    // Ctrl-C ends the command. Enter alone is no, and the inventory remembers it.
    for (const [no, code] of [
      ['\u0003', 130],
      ['\r', 0],
    ] as const) {
      const asked = await answered(no);
      expect(asked.code, asked.screen).toBe(code);
      expect(asked.screen).toContain(`configmap/${name} (namespace ${namespace})`);
      expect(await client.find(ConfigMap, { name, namespace })).toBeDefined();
    }
    const { code, screen } = await answered('y');
    expect(code, screen).toBe(0);
    expect(screen).toContain(`configmap/${name} ${command === 'deploy' ? 'pruned' : 'deleted'}`);
    expect(await client.find(ConfigMap, { name, namespace })).toBeUndefined();
  });
});

if (!hasTerminal) {
  test('questions on a terminal', (context) => {
    context.skip('there is no `script` that makes a pseudo-terminal on this machine');
  });
}
