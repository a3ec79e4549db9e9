import { isDeepStrictEqual } from 'node:util';
import {
  compareCodeUnits,
  jsonListOf,
  jsonMapOf,
  jsonTextOf,
  type JsonMap,
} from '../../../base/util/json-map.ts';
import type { RenderedDocument } from '../render/render-documents.ts';

/** A single difference between two catalogues. */
export interface CatalogChange {
  readonly change: 'added' | 'removed' | 'changed';
  readonly schema: string;
  /** Name of the document's package; `''` for a document without a package. */
  readonly package: string;
  /** Name of the document. For a channel entry: the name of the channel, a slash, and the name of the bundle. */
  readonly name: string;
  /** Names of the fields that differ. */
  readonly fields?: readonly string[];
}

/**
 * Returns the differences between two catalogues, in their packages, channels, channel entries, bundles and other documents. Ignores the
 * order of documents and fields.
 */
export async function diffDocuments(
  old: readonly RenderedDocument[],
  now: readonly RenderedDocument[],
): Promise<readonly CatalogChange[]> {
  const [before, after] = [byKey(old), byKey(now)];
  const changes: CatalogChange[] = [];
  for (const key of [...new Set([...before.keys(), ...after.keys()])].sort(compareCodeUnits)) {
    const [was, is] = [before.get(key), after.get(key)];
    const either = is ?? was;
    if (either === undefined) continue;
    const about = { schema: either.schema, package: either.packageName, name: either.name };
    if (was === undefined) changes.push({ change: 'added', ...about });
    else if (is === undefined) changes.push({ change: 'removed', ...about });
    else changes.push(...changesOf(about, await was.load(), await is.load()));
  }
  return changes;
}

/**
 * Maps an identifying key to each document. A document without a name is identified by its position among the documents of the same schema.
 */
function byKey(documents: readonly RenderedDocument[]): ReadonlyMap<string, RenderedDocument> {
  const all = new Map<string, RenderedDocument>();
  for (const document of documents) {
    const { packageName, schema, name } = document;
    let key = JSON.stringify([packageName, schema, name]);
    for (let index = 1; all.has(key); index++) key = JSON.stringify([packageName, schema, name, index]);
    all.set(key, document);
  }
  return all;
}

type About = Pick<CatalogChange, 'schema' | 'package' | 'name'>;

function changesOf(about: About, was: JsonMap, is: JsonMap): readonly CatalogChange[] {
  const fields = differing(was, is);
  if (about.schema !== 'olm.channel' || !fields.includes('entries'))
    return fields.length === 0 ? [] : [{ change: 'changed', ...about, fields }];
  const others = fields.filter((field) => field !== 'entries');
  const [before, after] = [entriesOf(was), entriesOf(is)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return [
    ...(others.length === 0 ? [] : [{ change: 'changed' as const, ...about, fields: others }]),
    ...names.flatMap((name): readonly CatalogChange[] => {
      const entry = { ...about, name: `${about.name}/${name}` };
      const [old, now] = [before.get(name), after.get(name)];
      if (old === undefined) return [{ change: 'added', ...entry }];
      if (now === undefined) return [{ change: 'removed', ...entry }];
      const changed = differing(old, now);
      return changed.length === 0 ? [] : [{ change: 'changed', ...entry, fields: changed }];
    }),
  ];
}

function entriesOf(channel: JsonMap): ReadonlyMap<string, JsonMap> {
  return new Map(
    jsonListOf(channel['entries']).map((entry) => [jsonTextOf(jsonMapOf(entry)['name']), jsonMapOf(entry)]),
  );
}

function differing(was: JsonMap, is: JsonMap): readonly string[] {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return fields.filter((field) => !isDeepStrictEqual(was[field], is[field]));
}
