import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../resource.ts';
import { setKey } from '../transform/field-spec.ts';
import type { GeneratorRule } from './generator-rule.ts';
import type { KeyValue } from './key-values.ts';

/**
 * The ConfigMap or Secret of a generator.
 * Source: kustomize `api/internal/generators`, kyaml `yaml/datamap.go`.
 */
export function makeObject(rule: GeneratorRule, pairs: readonly KeyValue[]): JsonObject {
  const { kind, name, namespace, labels, annotations, immutable } = rule;
  const metadata: JsonObject = { name };
  if (namespace !== '') metadata['namespace'] = namespace;
  if (Object.keys(labels).length > 0) metadata['labels'] = { ...labels };
  if (Object.keys(annotations).length > 0) metadata['annotations'] = { ...annotations };
  const object: JsonObject = { apiVersion: 'v1', kind, metadata };
  if (kind === 'Secret') {
    object['type'] = rule.type === '' ? 'Opaque' : rule.type;
    object['data'] = {};
  }
  for (const { key, value } of pairs) {
    const isText = kind === 'ConfigMap' && isUtf8(value);
    const field = kind === 'Secret' || isText ? 'data' : 'binaryData';
    const data = (object[field] ??= {}) as JsonObject;
    setKey(data, key, isText ? value.toString('utf8') : base64Lines(value));
  }
  if (immutable) object['immutable'] = true;
  return object;
}

/** Base64 as kustomize breaks it: longer ones end each line of 70 characters, the last one too. */
function base64Lines(value: Buffer): string {
  const text = value.toString('base64');
  return text.length < 70 ? text : text.replace(/.{1,70}/g, '$&\n');
}
