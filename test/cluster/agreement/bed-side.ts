import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, loadCluster } from '../../../src/sdk/kube/index.ts';
import type { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { uniqueNamespace } from '../../helpers/control-plane.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { firstNode } from '../bed/addresses.ts';
import { pushScriptImage } from '../bed/script-image.ts';
import type { Side } from './run-scenario.ts';
import { image, type ExitCode } from './scenario.ts';

/** Runs until a signal says with which exit code it ends. */
const script = `trap 'exit 0' TERM USR2
trap 'exit 3' USR1
while :; do sleep 3600 & wait $!; done`;

const signals = { 0: 'SIGUSR2', 3: 'SIGUSR1' } satisfies Readonly<Record<ExitCode, NodeJS.Signals>>;

/** The real kubelet. Its containers are processes below this one, which are made to end by signals. */
export async function bedSide(bed: ClusterBed): Promise<Side> {
  const client = createClient({
    cluster: await loadCluster({ kubeconfig: bed.kubeconfig }),
    fieldManager: 'agreement',
  });
  await pushScriptImage({ reference: image, script });
  return {
    client,
    nodeName: firstNode.name,
    namespace: () => uniqueNamespace(bed, 'agree'),
    begin: () => undefined,
    async exit(pod, container, code) {
      let isKnown = false;
      // A container that has only just been started is not a shell yet, and then one that does not hear signals yet.
      for (let tries = 1; ; tries += 1) {
        const found = firstProcess(pod, container);
        if (isKnown && found === undefined) return;
        if (tries > 200)
          throw new Error(`process ${found} of ${pod.metadata.name} ${container} does not end`);
        isKnown ||= found !== undefined;
        if (found !== undefined) kill(found, signals[code]);
        await sleep(100);
      }
    },
    async probe(pod, succeeds) {
      const file = `/proc/${firstProcess(pod, 'main')}/root/tmp/ready`;
      if (succeeds) writeFileSync(file, '');
      else rmSync(file);
    },
    push: addTag,
    quiet: 2000,
    timeout: 120_000,
  };
}

/** Pushes the image of the tests under another tag. */
async function addTag(name: string): Promise<void> {
  const manifestUrl = (reference: string): string => {
    const [, registry, repository, tag] = /^([^/]+)\/(.+):(.+)$/.exec(reference) ?? [];
    return `http://${registry}/v2/${repository}/manifests/${tag}`;
  };
  const type = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = await (await fetch(manifestUrl(image), { headers: { accept: type } })).text();
  const headers = { 'content-type': type };
  const { ok, status } = await fetch(manifestUrl(name), { method: 'PUT', headers, body: manifest });
  if (!ok) throw new Error(`${name}: expected to be pushed, got status ${status}`);
}

/** Returns the first process of a container, which knows its Pod and its scenario by its environment. */
function firstProcess({ metadata }: Pod, container: string): number | undefined {
  const environment = [`HOSTNAME=${metadata.name}`, `SCENARIO=${metadata.namespace}`];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      const command = readProcess(pid, 'cmdline');
      if (command.at(-1) !== container || command.at(-2)?.endsWith('entrypoint') !== true) return false;
      const own = readProcess(pid, 'environ');
      return environment.every((line) => own.includes(line)) && isFirst(pid);
    });
}

function isFirst(pid: number): boolean {
  const ids = readProcess(pid, 'status')[0]?.match(/^NSpid:(.*)$/m)?.[1];
  return ids?.trim().split(/\s+/).at(-1) === '1';
}

/** Returns the texts of a file of a process; none if the process has ended. */
function readProcess(pid: number, file: 'cmdline' | 'environ' | 'status'): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
      .split('\0')
      .filter((text) => text !== '');
  } catch {
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
