import type { Container, EnvVar, VolumeMount } from 'opsdk/k8s/core/v1';
import type { WorkloadSpec } from '../api/monitoring/v1/workload.ts';
import { containerSecurityContext, podEnv, pullPolicy } from './pod-parts.ts';

/** What a config reloader watches, and whom it tells. */
export interface ReloaderOptions {
  readonly spec: WorkloadSpec;
  /** Path of the configuration with its variables. Undefined if only folders are watched. */
  readonly configFile?: string;
  /** Path of the configuration without variables, which the program reads. */
  readonly outputFile?: string;
  /** Folders with files that the program reads, too. */
  readonly watchedFolders: readonly string[];
  readonly reloadUrl: string;
  readonly mounts: readonly VolumeMount[];
  readonly env?: readonly EnvVar[];
}

/** Image of the config reloader of this version of the operator. Mirrors name another one in the environment of the operator. */
export const reloaderImage = 'quay.io/prometheus-operator/prometheus-config-reloader:v0.85.0';
const imageVariable = 'RELATED_IMAGE_CONFIG_RELOADER';

/**
 * Returns the containers that keep the configuration of a Pod up to date: one that writes it before the program starts, and one that writes
 * it again after changes and lets the program read it.
 */
export function reloaders(options: ReloaderOptions): {
  readonly init: Container;
  readonly sidecar: Container;
} {
  const { configFile, outputFile, env = [], mounts, reloadUrl, spec, watchedFolders } = options;
  const files = [
    ...(configFile === undefined ? [] : [`--config-file=${configFile}`]),
    ...(outputFile === undefined ? [] : [`--config-envsubst-file=${outputFile}`]),
  ];
  const container = {
    image: process.env[imageVariable] || reloaderImage,
    ...pullPolicy(spec),
    env: [...podEnv, ...env],
    volumeMounts: [...mounts],
    resources: { requests: { cpu: '10m', memory: '50Mi' }, limits: { memory: '50Mi' } },
    securityContext: containerSecurityContext,
  };
  return {
    init: {
      ...container,
      name: 'init-config-reloader',
      args: ['--watch-interval=0', '--listen-address=$(POD_IP):8081', ...files],
    },
    sidecar: {
      ...container,
      name: 'config-reloader',
      args: [
        '--listen-address=$(POD_IP):8080',
        `--reload-url=${reloadUrl}`,
        ...files,
        ...watchedFolders.map((folder) => `--watched-dir=${folder}`),
      ],
      ports: [{ name: 'reloader-web', containerPort: 8080 }],
    },
  };
}
