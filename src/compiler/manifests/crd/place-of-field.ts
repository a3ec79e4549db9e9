import type { SchemaPath, SourcePlace } from '../../schema/index.ts';
import type { CustomKind } from './check-group.ts';
import type { DeclaredVersion } from './declared-version.ts';
import type { PlacedParts } from './kind-version.ts';

/** Where a field of the CustomResourceDefinition of a kind comes from: its nearest place in the sources. */
export function placeOfField(kind: CustomKind<DeclaredVersion>, keys: SchemaPath): SourcePlace {
  const { storage, conversion, labels, annotations } = kind;
  const [root, part, index, ...rest] = keys;
  if (root === 'metadata') {
    const said = part === 'labels' ? labels : part === 'annotations' ? annotations : undefined;
    return (said && placeOfPart(said, [index ?? ''])) ?? storage.group.place;
  }
  if (part === 'versions' && typeof index === 'number')
    return placeInVersion(kind.versions[index] ?? storage, rest);
  if (part === 'conversion') return (conversion && placeOfPart(conversion, keys.slice(2))) ?? storage.place;
  if (part === 'group') return storage.group.place;
  if (part === 'scope') return storage.scope.place;
  if (part === 'names') return placeOfName(storage, index, rest[0]);
  // What all versions have in common the server moves to the top.
  return placeInVersion(storage, keys.slice(1));
}

/** The place of a part, or of what is around it. */
function placeOfPart({ parts, place }: PlacedParts<unknown>, keys: SchemaPath): SourcePlace {
  for (let length = keys.length; length > 0; length--) {
    const own = parts.get(keys.slice(0, length).join('.'));
    if (own !== undefined) return own;
  }
  return place;
}

function placeOfName(
  version: DeclaredVersion,
  name: string | number | undefined,
  index: string | number | undefined,
): SourcePlace {
  if (name === 'kind' || name === 'listKind' || name === 'plural' || name === 'singular')
    return version[name].place;
  const list = name === 'shortNames' ? version.shortNames : version.categories;
  return (list[Number(index ?? 0)] ?? list[0])?.place ?? version.place;
}

/** @param keys in the version */
function placeInVersion(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const schema = keys.indexOf('openAPIV3Schema');
  if (schema !== -1) return placeInSchema(version, keys.slice(schema + 1));
  const [part, index, field] = keys;
  if (part === 'name') return version.version.place;
  if (part === 'deprecationWarning') return version.deprecatedAt ?? version.place;
  if (part === 'additionalPrinterColumns') {
    const column = version.columns[Number(index)];
    const own = field === 'jsonPath' ? column?.jsonPath.place : column?.parts?.get(String(field));
    return own ?? column?.place ?? version.place;
  }
  if (part === 'selectableFields')
    return (
      version.selectableFields?.value[Number(index)]?.place ??
      version.selectableFields?.place ??
      version.place
    );
  return part === 'subresources' ? placeOfScale(version, field) : version.place;
}

function placeOfScale({ scale, place }: DeclaredVersion, field: string | number | undefined): SourcePlace {
  const { spec, status, selector } = scale ?? {};
  const own = field === 'statusReplicasPath' ? status : field === 'labelSelectorPath' ? selector : spec;
  return (own ?? spec ?? status ?? selector)?.place ?? place;
}

function placeInSchema(version: DeclaredVersion, keys: SchemaPath): SourcePlace {
  const [keyword, index] = keys;
  // The rules of defineResource stand behind those of tags.
  const tagged = (version.schema['x-kubernetes-validations'] ?? []).length - version.cel.length;
  const own = keyword === 'x-kubernetes-validations' ? version.cel[Number(index) - tagged] : undefined;
  return own?.place ?? version.placeOf?.(keys) ?? version.place;
}
