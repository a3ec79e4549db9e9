import { createHash } from 'node:crypto';

/** Names of labels in the ApplySet specification. Source: KEP-3659; kubectl `pkg/cmd/apply/applyset.go`. */
export const partOfLabel = 'applyset.kubernetes.io/part-of';
export const idLabel = 'applyset.kubernetes.io/id';

/** Name and namespace of the Secret that stores an inventory. In the ApplySet specification, this Secret is the parent of the ApplySet. */
export interface ApplySetParent {
  readonly name: string;
  readonly namespace: string;
}

/** Returns the id of the ApplySet whose parent is a Secret: `applyset-<base64url(sha256(<name>.<namespace>.<kind>.<group>))>-v1`. */
export function applySetId({ name, namespace }: ApplySetParent): string {
  // The API group of a Secret is empty, so the text ends in a dot.
  const hash = createHash('sha256').update(`${name}.${namespace}.Secret.`).digest('base64url');
  return `applyset-${hash}-v1`;
}

/** Returns the name of a tool without its version, such as `op-sdk` for `op-sdk/1.2.3`. Source: kubectl `toolingBaseName`. */
export function toolingName(annotation: string): string {
  const slash = annotation.lastIndexOf('/');
  return slash < 0 ? annotation : annotation.slice(0, slash);
}
