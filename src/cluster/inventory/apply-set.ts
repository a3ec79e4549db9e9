import { createHash } from 'node:crypto';

/** Names of the ApplySet specification. Source: KEP-3659; kubectl `pkg/cmd/apply/applyset.go`. */
export const partOfLabel = 'applyset.kubernetes.io/part-of';
export const idLabel = 'applyset.kubernetes.io/id';

/** The Secret that keeps an inventory: the parent of an ApplySet. */
export interface ApplySetParent {
  readonly name: string;
  readonly namespace: string;
}

/** The identity of the ApplySet of a Secret: `applyset-<base64url(sha256(<name>.<namespace>.<kind>.<group>))>-v1`. */
export function applySetId({ name, namespace }: ApplySetParent): string {
  // The group of a Secret is empty.
  const hash = createHash('sha256').update(`${name}.${namespace}.Secret.`).digest('base64url');
  return `applyset-${hash}-v1`;
}

/** The name of a tool without its version: `op-sdk` of `op-sdk/1.2.3`. Source: kubectl `toolingBaseName`. */
export function toolingName(annotation: string): string {
  const slash = annotation.lastIndexOf('/');
  return slash < 0 ? annotation : annotation.slice(0, slash);
}
