import { createHash } from 'node:crypto';
import { formatWhere, type FindingList } from '../../../base/errors/index.ts';
import { originMark } from '../build/copies.ts';
import { idOf, type Resource, allIdsOf, describeId, sameId, rememberId } from '../resource.ts';
import { isBare } from '../written-values.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import { describe, ShapeError, reportShape } from '../transform/field-spec.ts';
import { compareBytes } from '../../../base/util/bytes.ts';
import type { Behavior } from './make-object.ts';

/**
 * Adds a generated object to a build. If the build has an object of the same name, the generated object is merged into it or replaces it.
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
      message: `the generated object ${describeId(id)} conflicts with several resources that have its name, or had it before they were renamed: ${meant.map(({ where }) => formatWhere(where)).join(', ')}`,
      where: generated.where,
      fix: ['give the generated object another name, or rename all but one of these resources'],
    });
  } else if (old === undefined && behavior === 'create') {
    resources.push(generated);
  } else if (old === undefined) {
    findings.add({
      code: 'kustomize/no-target',
      message: `${describeId(id)} does not exist, but the generator has behavior: ${behavior}, which changes an existing object`,
      where: generated.where,
      fix: ['correct name and namespace, or write behavior: create'],
    });
  } else if (behavior === 'create') {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the generated object ${describeId(id)} has the name of another resource, at ${formatWhere(old.where)}`,
      where: generated.where,
      fix: [
        'give the generated object another name or namespace, or write behavior: merge or behavior: replace',
      ],
    });
  } else {
    reportShape(old, 'generated data', findings, () => {
      resources[resources.indexOf(old)] = inPlaceOf(old, generated, behavior);
    });
  }
}

/** Returns the generated object with the metadata of the old object. For `merge`, the result also contains the data of the old object. */
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
    setOwnField(metadata['annotations'] as JsonObject, originMark, origin[originMark]);
  if (behavior === 'merge')
    for (const field of ['data', 'binaryData']) merge(object, field, [old.object, generated.object]);
  const isHashed = old.isHashed && generated.isHashed;
  return { ...old, object, where: generated.where, isHashed, sharedTexts: [] };
}

function metadataOf({ object: { metadata } }: Resource): JsonObject {
  return isObject(metadata) ? metadata : {};
}

/** Merges mappings with text values by key. Later mappings take precedence. Returns undefined if the result is empty. */
function mergeTexts(field: string, maps: readonly (Json | undefined)[]): JsonObject | undefined {
  const merged: JsonObject = {};
  for (const map of maps) {
    for (const [key, value] of Object.entries(isObject(map) ? map : {})) {
      // kustomize uses the value as written in the file, such as `1.0`. The parsed value does not contain this text, so a value that is not
      // text is refused.
      const isWrittenNull = value === null && field === 'labels' && isObject(map) && !isBare(map, key);
      if (isWrittenNull || (value !== null && typeof value !== 'string'))
        throw new ShapeError(`${field}/${key}`, `expected text, got ${describe(value)}`);
      setOwnField(merged, key, value ?? '');
    }
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

/** Appends a hash of the content to the names of generated objects. Source: kustomize `api/hasher`. */
export function hashNames(resources: readonly Resource[], findings: FindingList): void {
  for (const resource of resources) {
    if (!resource.isHashed) continue;
    const { kind, name } = idOf(resource);
    if (kind !== 'ConfigMap' && kind !== 'Secret') {
      findings.add({
        code: 'kustomize/patch-failed',
        message: `a patch changes the kind of the generated object ${describeId(idOf(resource))}; only kustomize can compute the hash of the new kind`,
        where: resource.where,
        fix: ['leave its kind as it is, or set disableNameSuffixHash for its generator'],
      });
      continue;
    }
    rememberId(resource);
    const { metadata } = resource.object;
    if (isObject(metadata)) setOwnField(metadata, 'name', `${name}-${hashOf(resource.object, kind)}`);
  }
}

function hashOf(object: JsonObject, kind: 'ConfigMap' | 'Secret'): string {
  // The name is always empty, as in kustomize: it looks up the name under a key that does not exist, so the name is never part of the hash.
  const hashed: JsonObject = { kind, name: '', data: valueOf(object['data']) };
  if (kind === 'Secret') hashed['type'] = valueOf(object['type']);
  const more = kind === 'ConfigMap' ? 'binaryData' : 'stringData';
  if (isObject(object[more])) hashed[more] = object[more];
  const digest = createHash('sha256').update(goJson(hashed)).digest('hex').slice(0, 10);
  return digest.replace(/[013ae]/g, (character) => safeLetters[character] ?? character);
}

/** Replacements for characters of a hash, which prevent the hash from containing words. */
const safeLetters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

function valueOf(value: Json | undefined): Json {
  if (value === undefined) return '';
  if (isObject(value)) return value;
  // kustomize ignores a list if a mapping is expected.
  return Array.isArray(value) ? null : String(value);
}

/** Formats JSON like Go's encoding/json: keys are sorted by bytes, and special characters of HTML are escaped. */
function goJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isObject(value))
    return JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const fields = Object.entries(value)
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([key, field]) => `${goJson(key)}:${goJson(field)}`);
  return `{${fields.join(',')}}`;
}
