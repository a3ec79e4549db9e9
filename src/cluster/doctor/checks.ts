import type { Check } from './check.ts';
import { certManager } from './checks/cert-manager.ts';
import { cluster } from './checks/cluster.ts';
import { crds } from './checks/crds.ts';
import { customResources } from './checks/custom-resources.ts';
import { dependencies } from './checks/dependencies.ts';
import { dockerfile } from './checks/dockerfile.ts';
import { image } from './checks/image.ts';
import { kinds } from './checks/kinds.ts';
import { kustomization } from './checks/kustomization.ts';
import { manifests } from './checks/manifests.ts';
import { monitoring } from './checks/monitoring.ts';
import { nodeVersion } from './checks/node-version.ts';
import { olm } from './checks/olm.ts';
import { operator } from './checks/operator.ts';
import { packageManager } from './checks/package-manager.ts';
import { permissions } from './checks/permissions.ts';
import { projectFile } from './checks/project-file.ts';
import { registry } from './checks/registry.ts';
import { registration } from './checks/registration.ts';
import { sdkVersion } from './checks/sdk-version.ts';
import { serverVersion } from './checks/server-version.ts';
import { sources } from './checks/sources.ts';

/** Every check of `op-sdk doctor`, in the order of its report: this machine, the project, the cluster, the operator on it. */
export const checks: readonly Check[] = [
  nodeVersion,
  projectFile,
  dependencies,
  packageManager,
  sdkVersion,
  sources,
  registration,
  manifests,
  kustomization,
  image,
  registry,
  dockerfile,
  cluster,
  serverVersion,
  permissions,
  crds,
  monitoring,
  certManager,
  kinds,
  operator,
  customResources,
  olm,
];
