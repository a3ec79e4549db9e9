import { isObject, type Json, type JsonObject } from '../resource.ts';

/** A field of an object's metadata. */
export function metaOf(object: JsonObject, field: 'labels' | 'annotations'): Json | undefined {
  const metadata = object['metadata'];
  return isObject(metadata) ? metadata[field] : undefined;
}
