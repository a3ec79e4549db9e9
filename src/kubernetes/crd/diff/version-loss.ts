import { jsonTextOf } from '../../../base/util/json-map.ts';
import type { ChangeCode } from './change-codes.ts';
import type { Definition, DefinitionVersion } from './definition.ts';
import {
  anything,
  isAnything,
  itemsOf,
  metaFields,
  othersOf,
  propertiesOf,
  type Schema,
} from './schema-node.ts';

/** Data that is lost if the conversion strategy `None` converts objects between two versions of a definition. */
export interface VersionLoss {
  readonly code: Extract<ChangeCode, 'storage-version-lacks-field' | 'served-version-lacks-field'>;
  /** Name of the version that lacks the field. */
  readonly version: string;
  /** Name of the version that has the field. */
  readonly source: string;
  readonly path: string;
  readonly what: Lost['what'];
}

/** Part of an object that one version keeps and another version loses: a field, keys that are not declared, or the value null. */
interface Lost {
  readonly path: string;
  readonly what: 'field' | 'keys' | 'null';
}

/**
 * Lost part, with the lost parts inside of it. The inner parts are reported only if the outer part was already lost in the old definition.
 */
interface LostTree extends Lost {
  readonly inner: readonly LostTree[];
}

/**
 * Finds losses between the versions of `now` that do not exist between the versions of `old`. The conversion strategy `None` changes only
 * apiVersion. Then the API server prunes the object by the schema of the target version. Therefore, every write is pruned by two schemas:
 * that of the written version and that of the storage version. Definitions with a conversion webhook are not judged.
 *
 * Source: apiextensions `pkg/apiserver/customresource_handler.go`, crdConversionRESTOptionsGetter.
 */
export function newLosses(old: Definition, now: Definition): readonly VersionLoss[] {
  const known = new Set(lossesOf(old, old).flatMap(({ key, trees }) => allPaths(trees).map((p) => key + p)));
  return lossesOf(now, old).flatMap(({ key, trees, code, version, source }) =>
    topmost(trees, (lost) => !known.has(key + idOf(lost))).map(({ path, what }) => ({
      code,
      version,
      source,
      path,
      what,
    })),
  );
}

/**
 * Returns the data that objects lose if they are rewritten from one storage version to another by the conversion strategy `None`: paths of
 * fields, and of maps whose keys are not kept.
 * @returns an empty list if a webhook converts, or if one of the versions does not exist
 */
export function storageLosses(definition: Definition, from: string, to: string): readonly string[] {
  const [old, now] = [from, to].map((name) => definition.versions.find((version) => version.name === name));
  if (old === undefined || now === undefined || jsonTextOf(definition.conversion['strategy']) === 'Webhook')
    return [];
  return lostFrom(old.schema, now.schema, '.', true).map(({ path }) => path);
}

interface PairLosses extends Pick<VersionLoss, 'code' | 'version' | 'source'> {
  /** Key of these losses. Losses with the same key are equivalent for clients that read and write objects. */
  readonly key: string;
  readonly trees: readonly LostTree[];
}

/**
 * Returns the losses between the storage version and other versions.
 * @param before old definition, whose stored versions may still contain objects
 */
function lossesOf(definition: Definition, before: Definition): readonly PairLosses[] {
  const storage = definition.versions.find((version) => version.storage);
  if (storage === undefined || jsonTextOf(definition.conversion['strategy']) === 'Webhook') return [];
  const losses: PairLosses[] = [];
  const compare = (code: VersionLoss['code'], from: DefinitionVersion, to: DefinitionVersion): void => {
    const key = `${code} ${code === 'storage-version-lacks-field' ? from.name : to.name} `;
    const trees = lostFrom(from.schema, to.schema, '.', true);
    losses.push({ code, version: to.name, source: from.name, key, trees });
  };
  for (const version of definition.versions) {
    if (version.name === storage.name) continue;
    if (version.served || before.storedVersions.includes(version.name))
      compare('storage-version-lacks-field', version, storage);
    if (version.served) compare('served-version-lacks-field', storage, version);
  }
  return losses;
}

/**
 * Finds the data that a value loses if the value is valid by the schema `from` and is pruned by the schema `to`.
 *
 * @param to undefined if the target version declares nothing for the value, so that all fields of objects are removed
 * @param isObject true if the value is an object whose apiVersion, kind and metadata are always kept
 */
function lostFrom(from: Schema, to: Schema | undefined, path: string, isObject = false): LostTree[] {
  const start = path === '.' ? '' : path;
  const keepsMeta = isObject || to?.['x-kubernetes-embedded-resource'] === true;
  const [fields, others] = [fieldsOf(from, isObject), othersOf(from)];
  const [toFields, toOthers] = [propertiesOf(to ?? {}), to === undefined ? undefined : othersOf(to)];
  const isKept = (name: string): boolean => keepsMeta && metaFields.includes(name);
  const lost: LostTree[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const inner = fieldPath(path, name);
    if (isKept(name)) continue;
    const target = toFields[name] ?? toOthers;
    if (target === undefined)
      lost.push({ path: inner, what: 'field', inner: lostFrom(field, undefined, inner) });
    else if (!isAnything(target)) {
      if (field['nullable'] === true && target['nullable'] !== true && toFields[name] !== undefined)
        lost.push({ path: inner, what: 'null', inner: [] });
      lost.push(...lostFrom(field, target, inner));
    }
  }
  if (others !== undefined) {
    const inner = Object.entries(toFields)
      .filter(([name]) => fields[name] === undefined && !isKept(name))
      .flatMap(([name, target]) => lostFrom(others, target, fieldPath(path, name)));
    if (toOthers !== undefined) {
      lost.push(...inner);
      if (!isAnything(toOthers)) lost.push(...lostFrom(others, toOthers, `${start}.*`));
    } else {
      if (!isAnything(others)) inner.push(...lostFrom(others, undefined, `${start}.*`));
      lost.push({ path, what: 'keys', inner });
    }
  }
  const items = from['items'] === undefined ? undefined : itemsOf(from);
  if (items !== undefined) {
    const target = to === undefined ? undefined : itemsOf(to);
    if (target === undefined || !isAnything(target)) lost.push(...lostFrom(items, target, `${start}[]`));
  }
  return lost;
}

function fieldsOf(schema: Schema, isObject: boolean): Readonly<Record<string, Schema>> {
  const fields = propertiesOf(schema);
  if (isObject || schema['x-kubernetes-embedded-resource'] !== true) return fields;
  return { ...Object.fromEntries(metaFields.map((name) => [name, anything])), ...fields };
}

const idOf = ({ what, path }: Lost): string => `${what} ${path}`;

function allPaths(trees: readonly LostTree[]): readonly string[] {
  return trees.flatMap((tree) => [idOf(tree), ...allPaths(tree.inner)]);
}

function topmost(trees: readonly LostTree[], isNew: (lost: Lost) => boolean): readonly Lost[] {
  return trees.flatMap((tree) => (isNew(tree) ? [tree] : topmost(tree.inner, isNew)));
}

/** Appends a field to a path: `.spec`, or `.spec["a.b"]` if the name needs quotes. */
export function fieldPath(path: string, name: string): string {
  const start = path === '.' ? '' : path;
  return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${start}.${name}` : `${start}[${JSON.stringify(name)}]`;
}

/**
 * Converts the keys that lead to a schema into the path of the described field: `properties`, `spec`, `properties`, `ports`, `items`
 * becomes `.spec.ports[]`. Stops at keys that lead to no field or item, such as the keys of `allOf`.
 */
export function fieldOfKeys(keys: readonly (string | number)[]): string {
  let path = '.';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    const start = path === '.' ? '' : path;
    if (key === 'properties' && keys[index + 1] !== undefined) path = fieldPath(path, String(keys[++index]));
    else if (key === 'items') path = `${start}[]`;
    else if (key === 'additionalProperties') path = `${start}.*`;
    else break;
  }
  return path;
}
