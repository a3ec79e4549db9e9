import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  alertmanagerVersion,
  ensureAlertmanager,
  ensureEtcd,
  ensurePrometheus,
  ensureRedis,
  prometheusVersion,
  type etcdVersions,
} from '../../../scripts/lib/test-programs.mjs';
import { root } from '../../../scripts/lib/run.mjs';
import type { ContainerConfig } from '../../../src/images/image-config.ts';
import type { ClusterBed } from './cluster-bed.ts';
import { busyboxFiles, pushLayerImage } from './layer-image.ts';
import { accountFiles, copiesOf, linkedLibraries } from './linked-files.ts';

export interface ProgramImageOptions {
  /** The whole name, such as `${bed.registry}/library/redis:7.0.15`. */
  readonly reference: string;
  /** Paths of programs on this machine. The image has them in `/usr/local/bin`, with the libraries that they are linked to. */
  readonly programs: readonly string[];
  /** Adds busybox with all of its commands. Default: false, as in images that hold a program alone. */
  readonly hasShell?: boolean;
  readonly config?: ContainerConfig;
}

/** Pushes an image with programs of this machine. It runs as the user 65532, as restricted namespaces demand. */
export async function pushProgramImage(options: ProgramImageOptions): Promise<string> {
  const { reference, programs, hasShell = false, config = {} } = options;
  await pushLayerImage({
    reference,
    files: [
      ...programs.map((path) => ({
        path: `usr/local/bin/${basename(path)}`,
        content: readFileSync(path),
        mode: 0o755,
      })),
      ...copiesOf(linkedLibraries(programs)),
      ...accountFiles,
      ...(hasShell ? busyboxFiles() : [{ path: 'tmp', mode: 0o1777 }]),
    ],
    config: { User: '65532:65532', Env: ['PATH=/usr/local/bin:/bin'], ...config },
  });
  return reference;
}

/**
 * Pushes a release of etcd under the name of its own images. They have no shell.
 * @param repository as operators name it, without its registry
 * @returns the reference in the bed's registry; `gcr.io/etcd-development/etcd:v<version>` is the same image
 * @throws ProgramsUnavailable if the release was not obtained before the bed started
 */
export async function pushEtcdImage(
  { registry }: ClusterBed,
  version: (typeof etcdVersions)[number],
  repository = 'etcd-development/etcd',
): Promise<string> {
  const folder = await ensureEtcd(version);
  const names = ['etcd', 'etcdctl', ...(version.startsWith('3.4.') ? [] : ['etcdutl'])];
  return pushProgramImage({
    reference: `${registry}/${repository}:v${version}`,
    programs: names.map((name) => join(folder, name)),
    config: { Cmd: ['/usr/local/bin/etcd'] },
  });
}

/**
 * Pushes this machine's Redis under the name of its own images. They have a shell.
 * @returns the reference in the bed's registry; `docker.io/library/redis:<version>` is the same image
 * @throws ProgramsUnavailable if it was not obtained before the bed started
 */
export async function pushRedisImage({ registry }: ClusterBed): Promise<string> {
  const folder = await ensureRedis();
  const output = execFileSync(join(folder, 'redis-cli'), ['--version'], { encoding: 'utf8' });
  const version = output.trim().split(' ')[1] ?? '';
  return pushProgramImage({
    reference: `${registry}/library/redis:${version}`,
    programs: ['redis-server', 'redis-cli'].map((name) => join(folder, name)),
    hasShell: true,
    config: { Cmd: ['redis-server'] },
  });
}

/**
 * Pushes Prometheus and Alertmanager under the names of their own images, and a stand-in for the config reloader of the Prometheus Operator.
 * They have no shell.
 * @param reloader tag of the config reloader
 * @throws ProgramsUnavailable if they were not obtained before the bed started
 */
export async function pushPrometheusImages({ registry, base }: ClusterBed, reloader: string): Promise<void> {
  const programs = {
    [`prometheus:${prometheusVersion}`]: join(await ensurePrometheus(), 'prometheus'),
    [`alertmanager:${alertmanagerVersion}`]: join(await ensureAlertmanager(), 'alertmanager'),
  };
  for (const [image, program] of Object.entries(programs))
    await pushProgramImage({
      reference: `${registry}/prometheus/${image}`,
      programs: [program],
      config: { Entrypoint: [`/usr/local/bin/${basename(program)}`] },
    });
  const script = join(root, 'test/helpers/prometheus/config-reloader.mjs');
  await pushLayerImage({
    reference: `${registry}/prometheus-operator/prometheus-config-reloader:${reloader}`,
    base,
    files: [{ path: 'config-reloader.mjs', content: readFileSync(script) }],
    config: { User: '65532:65532', Entrypoint: ['/usr/local/bin/node', '/config-reloader.mjs'] },
  });
}
