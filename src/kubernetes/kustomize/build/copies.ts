import { posix } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import { copyNotes } from '../written-values.ts';
import { OpSdkError, type Where } from '../../../base/errors/index.ts';
import { limits } from '../load/build-files.ts';
import type { Resource } from '../resource.ts';
import { unshareAnnotations } from '../shared-texts.ts';

/**
 * Copies a value so that no object occurs twice in the copy. This is needed because the YAML parser represents all aliases of a value as
 * one shared object, but a build changes objects in place.
 *
 * @param count called once for each value; may throw to stop copying
 */
export function copyJson<T extends Json>(value: T, count: () => void): T;
export function copyJson(value: Json, count: () => void): Json {
  count();
  if (Array.isArray(value)) return value.map((item) => copyJson(item, count));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, field] of Object.entries(value)) setOwnField(copy, key, copyJson(field, count));
  copyNotes(value, copy);
  return copy;
}

/** Copies JSON values, and throws if the copies together become too large. */
export type Copy = <T extends Json>(value: T) => T;

/**
 * Returns a copier for one step of a build. The copier has a limit, because patches and replacements can copy their own results, so that
 * the objects grow exponentially.
 *
 * @param where returns the location that the error names
 * @returns a copier that throws OpSdkError `kustomize/too-large` once all copies together contain too many values
 */
export function copier(where: () => Where): Copy {
  let values = 0;
  const count = (): void => {
    if (++values <= limits.values) return;
    throw new OpSdkError({
      code: 'kustomize/too-large',
      message: `patches or replacements copy more than ${limits.values} values`,
      where: where(),
      fix: ['split the build, or take out what does not belong in it'],
    });
  };
  return (value) => copyJson(value, count);
}

export const originMark = 'config.kubernetes.io/origin';
export const transformationsMark = 'alpha.config.kubernetes.io/transformations';

/** Matches a path that YAML reads as text without quotes, in any context. */
const plainPath = /^(?:\.\.?\/)*[A-Za-z][\w./-]*$/;

/**
 * Records the origins of the objects that a folder's kustomization builds, as `buildMetadata` requests. Paths are relative to the outermost
 * folder.
 */
export interface Origins {
  /** Records the file from which an object was read. */
  ofFile(resource: Resource, path: string): void;
  /** Records that a generator made an object. */
  ofGenerator(resource: Resource): void;
  /** Records a transformer that has been applied to the objects. */
  transformed(resources: readonly Resource[], transformer: string): void;
}

/** Implementation that records nothing, for builds without `buildMetadata`. */
export const noOrigins: Origins = {
  ofFile: () => undefined,
  ofGenerator: () => undefined,
  transformed: () => undefined,
};

/**
 * Returns a recorder that stores origins as annotations, which patches can change like any other annotations. Source: kustomize
 * `api/resource/origin.go`, `api/internal/target/multitransformer.go`.
 *
 * @param folder path of the folder, relative to the outermost folder
 * @param kustomization name of the kustomization's file in the folder
 * @param refuse called for a path that YAML does not read as plain text
 * @param spend called with the length of each record
 */
export function noteOrigins(
  folder: string,
  kustomization: string,
  refuse: (path: string, where: Where) => void,
  spend: (bytes: number) => void,
): Origins {
  const file = posix.join(folder, kustomization);
  const configured = (kind: string, indent: string): string =>
    `configuredIn: ${file}\n${indent}configuredBy:\n${indent}  apiVersion: builtin\n${indent}  kind: ${kind}\n`;
  return {
    ofFile(resource, path) {
      const whole = posix.join(folder, path);
      if (!plainPath.test(whole)) refuse(whole, resource.where);
      spend(whole.length);
      annotationsOf(resource)[originMark] = `path: ${whole}\n`;
    },
    ofGenerator(resource) {
      annotationsOf(resource)[originMark] ??= configured(`${resource.object['kind'] as string}Generator`, '');
    },
    transformed(resources, transformer) {
      for (const resource of resources) {
        unshareAnnotations(resource);
        const annotations = annotationsOf(resource);
        if (!plainPath.test(file)) refuse(file, resource.where);
        spend(file.length + transformer.length);
        if (annotations[originMark] === undefined) annotations[originMark] = configured(transformer, '');
        else {
          const earlier = annotations[transformationsMark];
          annotations[transformationsMark] =
            `${typeof earlier === 'string' ? earlier : ''}- ${configured(transformer, '  ')}`;
        }
      }
    },
  };
}

/** Returns the annotations of a resource. If the resource has none, an empty mapping is added first. */
function annotationsOf({ object }: Resource): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) throw new TypeError('a resource without metadata');
  if (!isObject(metadata['annotations'])) setOwnField(metadata, 'annotations', {});
  return metadata['annotations'] as JsonObject;
}
