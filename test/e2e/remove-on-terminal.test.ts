// What is deleted with a definition is asked for on a terminal: only a process of its own has one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, loadCluster, type KubeClient } from '../../src/sdk/kube/index.ts';
import { externalResource } from '../../src/sdk/api/index.ts';
import { applyObjects } from '../../src/cluster/index.ts';
import { manifest, widget } from '../control-plane/cluster/helpers.ts';
import { sharedControlPlane, uniqueName } from '../helpers/control-plane.ts';
import { hasTerminal, onTerminal } from '../helpers/on-terminal.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const Crd = externalResource({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});

describe.runIf(hasTerminal)('on a terminal', () => {
  let client: KubeClient;
  let kubeconfig: string;
  let cwd: string;
  beforeAll(async () => {
    ({ kubeconfig } = await sharedControlPlane());
    const cluster = await loadCluster({ kubeconfig, env: {} });
    client = createClient({ cluster, fieldManager: 'op-sdk', onWarning: () => undefined });
    cwd = mkdtempSync(join(tmpdir(), 'op-sdk-terminal-'));
  });
  afterAll(async () => {
    await client.close();
    rmSync(cwd, { recursive: true, force: true });
  });

  const answered = (line: string, question: string, typed: string) =>
    onTerminal(line, { cwd, env: process.env, answers: [[question, typed]] });

  test('undeploy --keep-crds asks nothing, and keeps custom resources', async () => {
    const { crd, object, name } = widget(uniqueName('kept'), 'default');
    await applyObjects({ client, objects: manifest(crd, object) });
    writeFileSync(join(cwd, 'kept.json'), JSON.stringify(crd));
    const flags = `undeploy --keep-crds -f kept.json --kubeconfig ${kubeconfig}`;
    const { code, screen } = await onTerminal(`exec ${process.execPath} ${opSdk} ${flags}`, {
      ...{ cwd, env: process.env, answers: [] },
    });
    expect(code, screen).toBe(0);
    expect(screen).toContain(`customresourcedefinition.apiextensions.k8s.io/${name} kept`);
    expect((await client.get(Crd, { name })).metadata.deletionTimestamp).toBeUndefined();
  });

  test.each(['undeploy', 'uninstall'])(
    '%s deletes custom resources only after a confirmation',
    async (command) => {
      const { crd, object, name } = widget(uniqueName('asked'), 'default');
      await applyObjects({ client, objects: manifest(crd, object) });
      writeFileSync(join(cwd, 'crd.json'), JSON.stringify(crd));
      const line = ['exec', process.execPath, opSdk, command, '-f crd.json --kubeconfig', kubeconfig].join(
        ' ',
      );
      const question = 'Delete these objects? This cannot be undone.';

      // Enter alone is no.
      for (const no of ['\r', 'n', '\u0003']) {
        const { code, screen } = await answered(line, question, no);
        expect(code, screen).toBe(130);
        expect(screen).toContain('1 custom resource will be deleted with it: default/one');
        expect((await client.get(Crd, { name })).metadata.deletionTimestamp).toBeUndefined();
      }
      const { code, screen } = await answered(line, question, 'y');
      expect(code, screen).toBe(0);
      expect(screen).toContain(`customresourcedefinition.apiextensions.k8s.io/${name} deleted`);
      expect(await client.find(Crd, { name })).toBeUndefined();
    },
  );
});

if (!hasTerminal) {
  test('questions on a terminal', (context) => {
    context.skip('there is no `script` that makes a pseudo-terminal on this machine');
  });
}
