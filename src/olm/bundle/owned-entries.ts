import type { FindingList } from '../../base/errors/index.ts';
import type { KindDescription } from '../../compiler/manifests/index.ts';
import { describeObject, type PlacedObject } from '../../kubernetes/yaml/index.ts';
import { type JsonMap, asText, isJsonMap } from '../../base/util/json-map.ts';
import type { ObjectReader } from './object-reader.ts';
import { compareOwned, describesKind, ownedKinds } from './examples.ts';

/** Inputs from which the owned entries of a bundle are described. */
interface OwnedSources {
  readonly crds: readonly PlacedObject[];
  readonly base: PlacedObject;
  /** Descriptions of the operator's kinds, read from the TypeScript sources; empty for operators in other languages. */
  readonly described: readonly KindDescription[];
}

const descriptorLists = [
  ['spec', 'specDescriptors'],
  ['status', 'statusDescriptors'],
] as const;

/**
 * Returns the owned entries of the bundle. For each field, the base takes precedence over the sources, and the sources take precedence over
 * the CustomResourceDefinition. Lists are merged item by item: descriptors are matched by path, resources by kind and version. Items of the
 * base come first, in the order of the base.
 */
export function ownedEntries(
  warnings: FindingList,
  read: ObjectReader,
  { crds, base, described }: OwnedSources,
): readonly JsonMap[] {
  const path = ['spec', 'customresourcedefinitions', 'owned'] as const;
  const entries = read.maps(base, ...path);
  const owned = crds.flatMap((crd) => ownedKinds(crd.object).map((kind) => ({ crd, kind })));
  for (const entry of entries.filter((item) => !owned.some(({ kind }) => describesKind(item, kind)))) {
    warnings.add({
      code: 'bundle/unknown-owned-kind',
      message: `${describeObject(base.object)} describes ${asText(entry['kind'])} ${asText(entry['version'])} (${asText(entry['name'])}), which no CustomResourceDefinition serves; the entry is left out`,
      where: base.where,
      fix: ['remove the entry from the base, or add the CustomResourceDefinition'],
    });
  }
  return owned
    .map(({ crd, kind }): JsonMap => {
      const index = entries.findIndex((item) => describesKind(item, kind));
      const own = entries[index] ?? {};
      const listOf = (name: string): readonly JsonMap[] =>
        index < 0 ? [] : read.maps(base, ...path, index, name);
      const source = described.find((item) => describesKind(item, kind));
      const lists = {
        resources: mergeResources(listOf('resources'), source?.resources ?? []),
        ...Object.fromEntries(
          descriptorLists.map(([part, name]) => [
            name,
            mergeDescriptors(
              listOf(name),
              (source?.[name] ?? []).filter((item) => inSchema(warnings, crd, kind, part, item.path)),
            ),
          ]),
        ),
      };
      return {
        ...kind,
        ...(source?.displayName === undefined ? {} : { displayName: source.displayName }),
        ...own,
        ...Object.fromEntries(Object.entries(lists).filter(([, items]) => items.length > 0)),
      };
    })
    .sort(compareOwned);
}

function mergeDescriptors(
  own: readonly JsonMap[],
  generated: KindDescription['specDescriptors'],
): readonly object[] {
  const merged = own.map((item) => ({ ...generated.find(({ path }) => path === item['path']), ...item }));
  return [...merged, ...generated.filter(({ path }) => !own.some((item) => item['path'] === path))];
}

function mergeResources(own: readonly JsonMap[], generated: KindDescription['resources']): readonly object[] {
  const isNamed = (item: JsonMap, { kind, name, version }: (typeof generated)[number]): boolean =>
    item['kind'] === kind &&
    item['version'] === version &&
    // The resource entry of a built-in kind may lack a name, or contain the name of one particular object of this kind.
    (name === '' || (item['name'] ?? '') === '' || item['name'] === name);
  return [...own, ...generated.filter((resource) => !own.some((item) => isNamed(item, resource)))];
}

/**
 * Returns true if the schema of the CustomResourceDefinition has a field that the TypeScript sources declare. Otherwise, warns that the
 * CustomResourceDefinition and the sources differ.
 */
function inSchema(
  warnings: FindingList,
  { object, where }: PlacedObject,
  { version }: { readonly version: string },
  part: string,
  path: string,
): boolean {
  const spec = isJsonMap(object['spec']) ? object['spec'] : {};
  const versions = Array.isArray(spec['versions']) ? (spec['versions'] as unknown[]).filter(isJsonMap) : [];
  const root = versions.find(({ name }) => name === version)?.['schema'];
  const top = partOf(isJsonMap(root) ? root['openAPIV3Schema'] : undefined, part);
  const keys = path.replaceAll('[0]', '.[0]').split('.');
  // The name of a field may contain dots.
  if (partOf(top, path) !== undefined || keys.reduce(partOf, top) !== undefined) return true;
  warnings.add({
    code: 'bundle/crd-differs',
    message: `${describeObject(object)}: the schema of ${version} has no field ${part}.${path}, which the TypeScript sources declare; its descriptor is left out`,
    where,
    fix: ['bring the CustomResourceDefinition up to date: `op-sdk generate manifests`'],
  });
  return false;
}

function partOf(schema: unknown, key: string): unknown {
  if (!isJsonMap(schema)) return undefined;
  const fields = isJsonMap(schema['properties']) ? schema['properties'] : {};
  return key === '[0]' ? schema['items'] : Object.hasOwn(fields, key) ? fields[key] : undefined;
}
