import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { parseAllDocuments } from 'yaml';
import { readFileSync, mkdtempSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptedRegistry, type ScriptedRegistry } from '../../../helpers/scripted-registry.ts';
import { runCli, type CliRun, type RunOptions } from '../../../helpers/run-cli.ts';
import { allObjects } from '../all-objects.ts';
import { writeBundle } from '../../../unit/olm/bundle/validate/bundle-folder.ts';
import type { Loose } from '../../../unit/olm/bundle/objects.ts';

const data = fileURLToPath(new URL('../../../../../shared/data/olm', import.meta.url));

/** Whether the manifests of OLM's releases are here. */
export const hasOlm = existsSync(data);

/** A cluster with the CustomResourceDefinitions of OLM, and a registry. */
export interface Site extends AsyncDisposable {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  readonly registry: ScriptedRegistry;
  /** Runs op-sdk in the folder of a bundle, with this cluster. */
  cli(argv: readonly string[], options?: RunOptions): Promise<CliRun>;
  /** Writes a bundle, until the end of the test. @returns its folder */
  folderOf(bundle: Loose): string;
  /** Creates a namespace with the name. */
  namespace(name: string): Promise<string>;
  /** Names of all objects but those that controllers keep for themselves: `plural.group namespace/name`. */
  everything(): Promise<readonly string[]>;
}

/** Starts a cluster with one version of OLM, or both; what plays OLM is started by the tests. */
export async function startSite(...versions: readonly ('v0' | 'v1')[]): Promise<Site> {
  const definitions = writeDefinitions(...versions);
  const plane = await startControlPlane({ controllerManager: true, crds: definitions.files });
  const registry = await scriptedRegistry();
  const cluster = await loadCluster({ kubeconfig: plane.kubeconfig });
  const client = createClient({ cluster, fieldManager: 'stand-in' });
  return {
    ...{ plane, client, registry },
    cli: (argv, options = {}) =>
      runCli(argv, { env: { OPSDK_NO_CACHE: '1', KUBECONFIG: plane.kubeconfig }, ...options }),
    folderOf: (bundle) => join(writeBundle(bundle), 'bundle'),
    async namespace(name) {
      const type = await client.resourceOf({ apiVersion: 'v1', kind: 'Namespace' });
      await client.create(type, { metadata: { name } });
      return name;
    },
    everything: () => everythingOf(client),
    async [Symbol.asyncDispose]() {
      await client.close();
      await registry.close();
      await plane.stop();
      definitions[Symbol.dispose]();
    },
  };
}

/** Writes the CustomResourceDefinitions of OLM's releases into files, until they are disposed of. */
export function writeDefinitions(
  ...versions: readonly ('v0' | 'v1')[]
): Disposable & { readonly files: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-olm-'));
  const files = versions.map((version) => {
    const file = join(folder, `${version}.yaml`);
    writeFileSync(file, definitionsOf(version));
    return file;
  });
  return { files, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The CustomResourceDefinitions of a release. */
function definitionsOf(version: 'v0' | 'v1'): string {
  const text = readFileSync(join(data, version === 'v0' ? 'v0-crds.yaml' : 'v1-standard.yaml'), 'utf8');
  return parseAllDocuments(text)
    .filter((document) => document.get('kind') === 'CustomResourceDefinition')
    .map(String)
    .join('---\n');
}

/** What controllers put into each namespace, sooner or later. */
const ofEveryNamespace = / (?:[^/]*\/(?:kube-root-ca\.crt|default)|kube-[^/]*\/.*)$/;

async function everythingOf(client: KubeClient): Promise<readonly string[]> {
  return (await allObjects(client)).filter((each) => !ofEveryNamespace.test(each));
}
