import type { SchemaPath, SourcePlace } from '../schema/index.ts';
import type { CustomKind } from './crd/check-group.ts';
import type { DeclaredVersion } from './crd/kind-version.ts';
import { placeOfField } from './crd/crd-document.ts';
import { readKinds, type ManifestOptions } from './generate-manifests.ts';

/**
 * Creates a function that finds the place in the sources from which a field of a generated CustomResourceDefinition comes. The first call
 * of that function reads the sources again.
 *
 * @param options the options with which the definitions were generated
 * @returns a function that takes the name of a definition and a field path as the API server writes it; it returns undefined for a
 * definition that the sources do not generate
 */
export function crdFieldLocator(
  options: ManifestOptions,
): (crd: string, field: string) => SourcePlace | undefined {
  let kinds: readonly CustomKind<DeclaredVersion>[] | undefined;
  return (crd, field) => {
    kinds ??= readKinds(options, { places: true }).kinds;
    const kind = kinds.find(({ storage }) => `${storage.plural.value}.${storage.group.value}` === crd);
    return kind && placeOfField(kind, parseField(field));
  };
}

/**
 * Parses a field path in the notation of apimachinery into keys: `spec.versions[0].schema`, `properties[a.b].items`. An index becomes a
 * number, unless it is the name of a property.
 */
export function parseField(field: string): SchemaPath {
  const keys: (string | number)[] = [];
  for (const [, inBrackets, name = ''] of field.matchAll(/\[([^\]]*)\](?=[.[]|$)|([^.[\]]+)/g)) {
    const isIndex = inBrackets !== undefined && /^\d+$/.test(inBrackets) && keys.at(-1) !== 'properties';
    keys.push(isIndex ? Number(inBrackets) : (inBrackets ?? name));
  }
  return keys;
}
