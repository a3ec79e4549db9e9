import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { deployment } from './helpers.ts';

/** A folder with a kustomization of objects that change from deploy to deploy. */
export interface DeployedFolder extends AsyncDisposable {
  readonly path: string;
  /** Runs a command on exactly these objects. */
  run(
    command: 'deploy' | 'diff' | 'undeploy',
    objects: readonly object[],
    ...flags: string[]
  ): Promise<CliRun>;
  /** `deploy` that must succeed without a warning; gives the lines of its output. */
  deploy(objects: readonly object[], ...flags: string[]): Promise<string[]>;
}

export async function deployedFolder(kubeconfig: string): Promise<DeployedFolder> {
  const path = await mkdtemp(join(tmpdir(), 'op-sdk-inventory-'));
  await writeFile(join(path, 'kustomization.yaml'), 'resources: [all.yaml]\n');
  const run: DeployedFolder['run'] = async (command, objects, ...flags) => {
    const text = objects.map((each) => JSON.stringify(each)).join('\n---\n');
    await writeFile(join(path, 'all.yaml'), text);
    // Where no node runs a Pod, no rollout ends.
    const wait = command === 'deploy' ? ['--no-wait'] : [];
    const cluster = flags.includes('--kubeconfig') ? [] : ['--kubeconfig', kubeconfig];
    return runCli([command, '--dir', '.', ...wait, ...cluster, ...flags], { cwd: path });
  };
  return {
    path,
    run,
    async deploy(objects, ...flags) {
      const { code, stdout, stderr } = await run('deploy', objects, ...flags);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      return stdout.trimEnd().split('\n');
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

/** The Deployment of an operator, as a scaffold with the prefix `<name>-` names it. */
export function operator(name: string, namespace: string): object {
  return deployment(`${name}-controller-manager`, namespace);
}

export function settings(name: string, namespace: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
}

export function clusterRole(name: string): object {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] };
}

/** The codes of the findings in the output for people. */
export function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/\[(cluster\/[\w-]+)\]/g)].map(([, code = '']) => code);
}

/** The annotations that the specification gives a parent. */
export function recorded({ metadata }: KubeObject): Readonly<Record<string, string | undefined>> {
  const of = (name: string): string | undefined => metadata.annotations?.[`applyset.kubernetes.io/${name}`];
  return { kinds: of('contains-group-kinds'), namespaces: of('additional-namespaces') };
}
