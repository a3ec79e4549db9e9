import { formatWhere } from '../../../base/errors/format.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import { originMark } from '../build/origins.ts';
import { allIdsOf, describeId, sameId } from '../ids.ts';
import type { Behavior } from './generator-rule.ts';
import { isBare } from '../written-values.ts';
import { idOf, isObject, type Json, type JsonObject, type Resource } from '../resource.ts';
import { describe, setKey, ShapeError } from '../transform/field-spec.ts';
import { reportShape } from '../transform/report-shape.ts';

/**
 * Adds a generated object to a build, merges it into the one of that name, or puts it in its place.
 * Source: kustomize `api/resmap/reswrangler.go`, appendReplaceOrMerge.
 *
 * @param resources changed in place
 */
export function absorb(
  resources: Resource[],
  generated: Resource,
  behavior: Behavior,
  findings: FindingList,
): void {
  const id = idOf(generated);
  const meant = resources.filter((resource) => allIdsOf(resource).some((other) => sameId(other, id)));
  const [old, second] = meant;
  if (second !== undefined && old !== undefined) {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `several resources are or were called ${describeId(id)}: ${meant.map(({ where }) => formatWhere(where)).join(', ')}`,
      where: generated.where,
      fix: ['rename one of them, or the generated object'],
    });
  } else if (old === undefined && behavior === 'create') {
    resources.push(generated);
  } else if (old === undefined) {
    findings.add({
      code: 'kustomize/no-target',
      message: `${describeId(id)}, which is to be changed by behavior: ${behavior}, is missing`,
      where: generated.where,
      fix: ['correct name and namespace, or write behavior: create'],
    });
  } else if (behavior === 'create') {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `there is another resource ${describeId(id)}, at ${formatWhere(old.where)}`,
      where: generated.where,
      fix: ['give it another name or namespace, or write behavior: merge or behavior: replace'],
    });
  } else {
    reportShape(old, 'generated data', findings, () => {
      resources[resources.indexOf(old)] = inPlaceOf(old, generated, behavior);
    });
  }
}

/** The generated object with the metadata of the old one and, for `merge`, with its data. */
function inPlaceOf(old: Resource, generated: Resource, behavior: 'merge' | 'replace'): Resource {
  const { name, namespace } = idOf(old);
  const metadata: JsonObject = { name };
  if (namespace !== '') metadata['namespace'] = namespace;
  const object: JsonObject = { ...generated.object, metadata };
  const merge = (to: JsonObject, field: string, from: readonly (JsonObject | undefined)[]): void => {
    const merged = mergeTexts(
      field,
      from.map((one) => one?.[field]),
    );
    if (merged === undefined) delete to[field];
    else to[field] = merged;
  };
  for (const field of ['labels', 'annotations']) merge(metadata, field, [old, generated].map(metadataOf));
  const origin = metadataOf(old)['annotations'];
  if (behavior === 'merge' && isObject(origin) && typeof origin[originMark] === 'string')
    setKey(metadata['annotations'] as JsonObject, originMark, origin[originMark]);
  if (behavior === 'merge')
    for (const field of ['data', 'binaryData']) merge(object, field, [old.object, generated.object]);
  const isHashed = old.isHashed && generated.isHashed;
  return { ...old, object, where: generated.where, isHashed, sharedTexts: [] };
}

function metadataOf({ object: { metadata } }: Resource): JsonObject {
  return isObject(metadata) ? metadata : {};
}

/** The texts of both, the later ones win; undefined if there are none. */
function mergeTexts(field: string, maps: readonly (Json | undefined)[]): JsonObject | undefined {
  const merged: JsonObject = {};
  for (const map of maps) {
    for (const [key, value] of Object.entries(isObject(map) ? map : {})) {
      // kustomize takes the text of the file, which is more than the value tells, such as 1.0.
      const isWrittenNull = value === null && field === 'labels' && isObject(map) && !isBare(map, key);
      if (isWrittenNull || (value !== null && typeof value !== 'string'))
        throw new ShapeError(`${field}/${key}`, `it is ${describe(value)}, not text`);
      setKey(merged, key, value ?? '');
    }
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}
