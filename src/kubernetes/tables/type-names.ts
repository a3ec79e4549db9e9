import { prefixes } from './generated/names.ts';
import { schemas } from './generated/schemas.ts';

/** A type that users can import from `opsdk/k8s/<file>`. */
export interface TableType {
  /** Such as `core/v1`. */
  readonly file: string;
  /** Such as `ContainerPort`. */
  readonly typeName: string;
  /** The table's name, such as `io.k8s.api.core.v1.ContainerPort`. */
  readonly name: string;
}

/** The types of one file of `opsdk/k8s`, in the order of the table; none for a file that does not exist. */
export function tableTypesOf(file: string): readonly TableType[] {
  const prefix = Object.hasOwn(prefixes, file) ? prefixes[file] : undefined;
  if (prefix === undefined) return [];
  return Object.keys(schemas)
    .filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'))
    .map((name) => ({ file, typeName: name.slice(prefix.length), name }));
}
