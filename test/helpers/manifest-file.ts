import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Object of a manifest, without its namespace. */
export interface ManifestObject<Spec> {
  readonly metadata: { readonly name: string };
  readonly spec: Spec;
}

/**
 * Reads a manifest with one object.
 * @param edit changes its text before it is read, as an editor or sed would
 */
export function readManifestFile<Spec>(
  path: string,
  edit: (text: string) => string = (text) => text,
): ManifestObject<Spec> {
  const { metadata, spec } = parse(edit(readFileSync(path, 'utf8'))) as ManifestObject<Spec>;
  return { metadata, spec };
}
