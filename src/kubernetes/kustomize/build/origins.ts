import { posix } from 'node:path';
import type { Where } from '../../../base/errors/index.ts';
import { isObject, type JsonObject, type Resource } from '../resource.ts';
import { unshareAnnotations } from '../shared-texts.ts';
import { setKey } from '../transform/field-spec.ts';

export const originMark = 'config.kubernetes.io/origin';
export const transformationsMark = 'alpha.config.kubernetes.io/transformations';

/** A path that YAML takes for itself without quotes, whatever is around it. */
const plainPath = /^(?:\.\.?\/)*[A-Za-z][\w./-]*$/;

/** Where the objects of a folder come from, as `buildMetadata` asks for it; paths are relative to the outermost folder. */
export interface Origins {
  /** Notes the file of an object. */
  ofFile(resource: Resource, path: string): void;
  /** Notes the generator of an object. */
  ofGenerator(resource: Resource): void;
  /** Notes a transformer that has run over the objects. */
  transformed(resources: readonly Resource[], transformer: string): void;
}

/** For builds that ask for nothing. */
export const noOrigins: Origins = {
  ofFile: () => undefined,
  ofGenerator: () => undefined,
  transformed: () => undefined,
};

/**
 * Origins as annotations, which patches can change like all others.
 * Source: kustomize `api/resource/origin.go`, `api/internal/target/multitransformer.go`.
 *
 * @param folder relative to the outermost one
 * @param kustomization its name in the folder
 * @param refuse called for a path that YAML does not take as it is
 * @param spend called with the length of each note
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

/** The annotations of a resource, made if there are none. */
function annotationsOf({ object }: Resource): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata)) throw new TypeError('a resource without metadata');
  if (!isObject(metadata['annotations'])) setKey(metadata, 'annotations', {});
  return metadata['annotations'] as JsonObject;
}
