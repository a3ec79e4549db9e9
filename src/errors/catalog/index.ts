import type { CatalogEntry } from './entry.ts';
import { cliErrors } from './cli.ts';
import { ioErrors } from './io.ts';
import { kubeErrors } from './kube.ts';
import { manifestsErrors } from './manifests.ts';
import { projectErrors } from './project.ts';
import { kustomizeErrors } from './kustomize.ts';
import { ociErrors } from './oci.ts';
import { bundleErrors } from './bundle.ts';
import { clusterErrors } from './cluster.ts';
import { runtimeErrors } from './runtime.ts';
import { scaffoldErrors } from './scaffold.ts';
import { schemaErrors } from './schema.ts';
import { testenvErrors } from './testenv.ts';
import { buildErrors } from './build.ts';
import { importErrors } from './import.ts';
import { importV1beta1Errors } from './import-v1beta1.ts';
import { diffErrors } from './diff.ts';

export type { CatalogEntry };

/** Every code op-sdk can report, by room. */
export const catalog = {
  ...cliErrors,
  ...ioErrors,
  ...projectErrors,
  ...scaffoldErrors,
  ...schemaErrors,
  ...importErrors,
  ...importV1beta1Errors,
  ...diffErrors,
  ...manifestsErrors,
  ...buildErrors,
  ...testenvErrors,
  ...kubeErrors,
  ...kustomizeErrors,
  ...ociErrors,
  ...bundleErrors,
  ...clusterErrors,
  ...runtimeErrors,
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof catalog;

/** The exit code of a command that ends with these codes: 2 if a flag or argument value is among them, else 1. */
export function exitCodeOf(codes: readonly ErrorCode[]): 1 | 2 {
  return codes.some((code) => catalog[code].exit === 2) ? 2 : 1;
}
