import { kinds, prefixes } from './generated/names.ts';
import { schemas } from './generated/schemas.ts';
import { knownTypes } from './known-types.ts';

/**
 * The table's name of a type that users import from `opsdk/k8s/<file>`.
 *
 * @param file such as `core/v1`
 * @param typeName such as `ContainerPort`
 * @returns such as `io.k8s.api.core.v1.ContainerPort`; undefined if the type does not exist
 */
export function tableNameOf(file: string, typeName: string): string | undefined {
  if (!Object.hasOwn(prefixes, file)) return undefined;
  const name = `${prefixes[file] ?? ''}${typeName}`;
  return Object.hasOwn(schemas, name) || Object.hasOwn(knownTypes, name) ? name : undefined;
}

/**
 * The table's name of a built-in kind.
 *
 * @param apiVersion such as `apps/v1` or `v1`
 * @returns such as `io.k8s.api.apps.v1.Deployment`; undefined if the kind is not built in
 */
export function tableNameOfKind(apiVersion: string, kind: string): string | undefined {
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/** A kind that Kubernetes itself has. */
export interface BuiltInKind {
  /** The full name, such as `networking.k8s.io`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The module `opsdk/k8s/<file>` that exports it: `networking/v1`. */
  readonly file: string;
}

/** All built-in kinds that can be imported from `opsdk/k8s/*`. */
export function kindsInTables(): readonly BuiltInKind[] {
  return Object.entries(kinds).flatMap(([key, name]): readonly BuiltInKind[] => {
    const [apiVersion = '', kind = ''] = key.split(' ');
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const file = `${group === '' ? 'core' : (group.split('.')[0] ?? '')}/${version}`;
    return prefixes[file] !== undefined && name.startsWith(prefixes[file])
      ? [{ group, version, kind, file }]
      : [];
  });
}
