import { createHash } from 'node:crypto';
import type { FindingList } from '../../../base/errors/index.ts';
import { compareBytes } from '../../../base/util/compare-bytes.ts';
import { describeId, rememberId } from '../ids.ts';
import { idOf, isObject, type Json, type JsonObject, type Resource } from '../resource.ts';
import { setKey } from '../transform/field-spec.ts';

/** Puts a hash of the content behind the names of generated objects. Source: kustomize `api/hasher`. */
export function hashNames(resources: readonly Resource[], findings: FindingList): void {
  for (const resource of resources) {
    if (!resource.isHashed) continue;
    const { kind, name } = idOf(resource);
    if (kind !== 'ConfigMap' && kind !== 'Secret') {
      findings.add({
        code: 'kustomize/patch-failed',
        message: `a patch makes the generated object ${describeId(idOf(resource))} of another kind, whose hash only kustomize knows`,
        where: resource.where,
        fix: ['leave its kind as it is, or set disableNameSuffixHash for its generator'],
      });
      continue;
    }
    rememberId(resource);
    const { metadata } = resource.object;
    if (isObject(metadata)) setKey(metadata, 'name', `${name}-${hashOf(resource.object, kind)}`);
  }
}

function hashOf(object: JsonObject, kind: 'ConfigMap' | 'Secret'): string {
  // kustomize looks for the name under a key that no object has, so it is never part of the hash.
  const hashed: JsonObject = { kind, name: '', data: valueOf(object['data']) };
  if (kind === 'Secret') hashed['type'] = valueOf(object['type']);
  const more = kind === 'ConfigMap' ? 'binaryData' : 'stringData';
  if (isObject(object[more])) hashed[more] = object[more];
  const digest = createHash('sha256').update(goJson(hashed)).digest('hex').slice(0, 10);
  return digest.replace(/[013ae]/g, (character) => safeLetters[character] ?? character);
}

/** So that no word comes about by chance. */
const safeLetters: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

function valueOf(value: Json | undefined): Json {
  if (value === undefined) return '';
  if (isObject(value)) return value;
  // A list where a mapping belongs is none to kustomize.
  return Array.isArray(value) ? null : String(value);
}

/** JSON as Go's encoding/json writes it: keys sorted by bytes, nothing that HTML could take for a tag. */
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
