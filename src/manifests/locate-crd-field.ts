import type { SchemaPath, SourcePlace } from '../schema/index.ts';
import type { CustomKind } from './crd/check-group.ts';
import type { DeclaredVersion } from './collect-kinds.ts';
import { readKinds, type ManifestOptions } from './generate-manifests.ts';

/**
 * Finds where the fields of generated CustomResourceDefinitions come from. Reads the sources again, once, when it is first asked.
 *
 * @param options those with which the definitions were generated
 * @returns a function that takes the name of a definition and a field as the API server names it; it gives undefined for a definition
 * that the sources do not make
 */
export function crdFieldLocator(
  options: ManifestOptions,
): (crd: string, field: string) => SourcePlace | undefined {
  let kinds: readonly CustomKind<DeclaredVersion>[] | undefined;
  return (crd, field) => {
    kinds ??= readKinds(options, { places: true }).kinds;
    const kind = kinds.find(({ storage }) => `${storage.plural.value}.${storage.group.value}` === crd);
    return kind && placeIn(kind, parseField(field));
  };
}

/**
 * The keys of a field path of apimachinery: `spec.versions[0].schema`, `properties[a.b].items`. Indices become numbers, except those
 * that are names of properties.
 */
export function parseField(field: string): SchemaPath {
  const keys: (string | number)[] = [];
  for (const [, inBrackets, name = ''] of field.matchAll(/\[([^\]]*)\](?=[.[]|$)|([^.[\]]+)/g)) {
    const isIndex = inBrackets !== undefined && /^\d+$/.test(inBrackets) && keys.at(-1) !== 'properties';
    keys.push(isIndex ? Number(inBrackets) : (inBrackets ?? name));
  }
  return keys;
}

function placeIn(kind: CustomKind<DeclaredVersion>, keys: SchemaPath): SourcePlace {
  const { storage, conversion, labels, annotations } = kind;
  const [root, part, index] = keys;
  if (root === 'metadata') {
    const said = part === 'labels' ? labels : part === 'annotations' ? annotations : undefined;
    return said?.place ?? storage.place;
  }
  if (part === 'versions' && typeof index === 'number')
    return placeInVersion(kind.versions[index] ?? storage, keys.slice(3));
  if (part === 'conversion') return conversion?.place ?? storage.place;
  if (part === 'group') return storage.group.place;
  if (part === 'scope') return storage.scope.place;
  if (part === 'names') return placeOfName(storage, index);
  // What all versions have in common the server moves to the top.
  return placeInVersion(storage, keys.slice(1));
}

function placeOfName(version: DeclaredVersion, name: string | number | undefined): SourcePlace {
  if (name === 'kind' || name === 'listKind' || name === 'plural' || name === 'singular')
    return version[name].place;
  const [first] = name === 'shortNames' ? version.shortNames : version.categories;
  return first?.place ?? version.place;
}

/** @param keys in the version */
function placeInVersion(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const schema = keys.indexOf('openAPIV3Schema');
  if (schema !== -1) return placeInSchema(version, keys.slice(schema + 1));
  const [part, index] = keys;
  if (part === 'additionalPrinterColumns') return version.columns[Number(index)]?.place ?? version.place;
  if (part === 'selectableFields')
    return version.selectableFields?.value[Number(index)]?.place ?? version.place;
  if (part === 'subresources') return version.scale?.spec?.place ?? version.place;
  return version.place;
}

function placeInSchema(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const [keyword, index] = keys;
  // The rules of defineResource stand behind those of tags.
  const tagged = (version.schema['x-kubernetes-validations'] ?? []).length - version.cel.length;
  const own = keyword === 'x-kubernetes-validations' ? version.cel[Number(index) - tagged] : undefined;
  return own?.place ?? version.placeOf?.(keys) ?? version.place;
}
