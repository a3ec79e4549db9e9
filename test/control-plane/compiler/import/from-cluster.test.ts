import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedControlPlane, uniqueName } from '../../../helpers/control-plane.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';

let kubeconfig: string;
let folder: string;
beforeAll(async () => {
  ({ kubeconfig } = await sharedControlPlane());
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'op-sdk-from-cluster-'));
  return () => rm(folder, { recursive: true });
});

const opSdk = (argv: readonly string[], stdin = ''): Promise<CliRun> =>
  runCli([...argv, '--kubeconfig', kubeconfig], { cwd: folder, stdin });

test('a CRD that is installed becomes types, with what the server has filled in', async () => {
  const kind = `Boat${uniqueName().replace(/[^a-z0-9]/g, '')}`;
  const plural = `${kind.toLowerCase()}s`;
  const name = `${plural}.import.example.com`;
  const spec = { type: 'object', properties: { size: { type: 'integer', format: 'int32', default: 3 } } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'import.example.com',
      scope: 'Cluster',
      names: { kind, plural },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
  const installed = await opSdk(['install', '-f', '-'], JSON.stringify(crd));
  expect(installed.code, installed.stderr).toBe(0);
  try {
    const imported = await opSdk(['import', 'crd', '--from-cluster', name]);
    expect(imported.code, imported.stderr).toBe(0);
    const [file] = /src\/api\/\S+\.ts/.exec(imported.stderr) ?? [];
    const text = await readFile(join(folder, file ?? ''), 'utf8');
    expect(text).toContain('/** @default 3 */\n  size?: Int32;');
    expect(text).toContain("scope: 'Cluster'");
    // Singular and list kind are those that follow from the kind.
    expect(text).not.toContain('listKind');
  } finally {
    await opSdk(['uninstall', '-f', '-'], JSON.stringify(crd));
  }
});

test('reports a CRD that is not installed', async () => {
  const { code, stderr } = await opSdk(['import', 'crd', '--from-cluster', 'nothings.import.example.com']);
  expect(code).toBe(1);
  expect(stderr).toContain('nothings.import.example.com');
  expect(stderr).not.toContain('internal');
});
