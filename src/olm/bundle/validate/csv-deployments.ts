import { fieldAt, listOf, mapOf, textOf } from './fields.ts';
import type { BundleObject, FieldPath } from './types.ts';

/** Where a ClusterServiceVersion lists its deployments. */
export const deploymentsPath = ['spec', 'install', 'spec', 'deployments'] as const;

/** A deployment of the ClusterServiceVersion. */
export interface CsvDeployment {
  readonly name: string;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly path: FieldPath;
}

/** `spec.install.spec.deployments`. */
export function csvDeployments(csv: BundleObject): readonly CsvDeployment[] {
  return listOf(fieldAt(csv.value, ...deploymentsPath)).map((entry, index) => {
    const { name, spec } = mapOf(entry);
    return { name: textOf(name), spec: mapOf(spec), path: [...deploymentsPath, index] };
  });
}

/** The ServiceAccount that the Pods of a deployment run as; `''` for the default one. */
export function serviceAccountOf({ spec }: CsvDeployment): string {
  return textOf(fieldAt(spec, 'template', 'spec', 'serviceAccountName'));
}
