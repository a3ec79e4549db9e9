import type { FindingList } from '../../../base/errors/index.ts';
import type { ImageRule, ReplicaRule } from '../entries.ts';
import { idOf, type Resource, allIdsOf } from '../resource.ts';
import { isObject, type Json } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import { listText } from '../../../base/util/words.ts';
import { describe, ShapeError, visitFields, type FieldSpec, reportShape, isForKind } from './field-spec.ts';

/** Fields that contain images. Source: kustomize `builtinpluginconsts/images.go`. */
export const imageSpecs: readonly FieldSpec[] = ['spec', 'spec/template/spec'].flatMap((pod) =>
  ['containers[]/image', 'initContainers[]/image', 'volumes[]/image/reference'].map((field) => ({
    path: `${pod}/${field}`,
    // `create` is true as in kustomize, but has no effect, because lists and images are never created.
    create: true,
  })),
);

/**
 * Changes the name, tag or digest of images: in all lists `containers` and `initContainers`, at any depth, and in image volumes.
 * CustomResourceDefinitions are skipped. Source: kustomize `api/filters/imagetag`.
 */
export function replaceImages(
  resources: readonly Resource[],
  rule: ImageRule,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  const matches = imagePattern(rule.name);
  const update = (image: string): string => (matches.test(image) ? changedImage(image, rule) : image);
  for (const resource of resources) {
    if (idOf(resource).kind === 'CustomResourceDefinition') continue;
    reportShape(resource, `the image ${rule.name}`, findings, () => {
      updateContainers(resource.object, '', update);
      // kustomize visits the images again by the paths of the specs. So an image found by both searches gets the `tagSuffix` twice.
      for (const spec of specs) {
        visitFields(resource, spec, undefined, (slot) => {
          const value = slot.get();
          if (typeof value === 'string') slot.set(update(value));
          else if (typeof value === 'object' && value !== null)
            throw new ShapeError(spec.path, `expected text, got ${describe(value)}`);
        });
      }
    });
  }
}

/**
 * Returns the pattern that matches images with a given name. As in kustomize, the name is inserted unescaped into a regular expression, so
 * a dot matches any character.
 */
function imagePattern(name: string): RegExp {
  return new RegExp(`^${name}(?::[a-zA-Z0-9_.{}-]*)?(?:@sha256:[a-zA-Z0-9_.{}-]*)?$`);
}

function changedImage(image: string, rule: ImageRule): string {
  const parts = splitImage(image);
  const name = rule.newName ?? parts.name;
  let { tag, digest } = parts;
  if (rule.newTag !== undefined) [tag, digest] = [rule.newTag, rule.digest ?? ''];
  else if (rule.digest !== undefined) [tag, digest] = ['', rule.digest];
  else if (rule.tagSuffix !== undefined) [tag, digest] = [tag + rule.tagSuffix, ''];
  return `${name}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
}

function splitImage(image: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  // A colon in front of the first slash belongs to a port.
  const start = Math.max(image.indexOf('/'), 0);
  const at = image.indexOf('@', start);
  const colon = image.indexOf(':', start);
  if (at >= 0 && (colon < 0 || at < colon))
    return { name: image.slice(0, at), tag: '', digest: image.slice(at + 1) };
  if (colon < 0) return { name: image, tag: '', digest: '' };
  const end = at < 0 ? image.length : at;
  return { name: image.slice(0, colon), tag: image.slice(colon + 1, end), digest: image.slice(end + 1) };
}

function updateContainers(value: Json, path: string, update: (image: string) => string): void {
  if (Array.isArray(value)) {
    for (const item of value) updateContainers(item, path, update);
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value)) {
      const here = path === '' ? key : `${path}/${key}`;
      updateContainers(field, here, update);
      if ((key === 'containers' || key === 'initContainers') && Array.isArray(field)) {
        for (const container of field) updateContainer(container, here, update);
      }
    }
  }
}

function updateContainer(container: Json, path: string, update: (image: string) => string): void {
  if (container === null) return;
  if (!isObject(container))
    throw new ShapeError(path, `expected a container as item, got ${describe(container)}`);
  const { image } = container;
  if (typeof image === 'string') setOwnField(container, 'image', update(image));
  else if (typeof image === 'object' && image !== null)
    throw new ShapeError(`${path}/image`, `expected text, got ${describe(image)}`);
}

/** Fields that contain a number of replicas. Source: kustomize `builtinpluginconsts/replicas.go`. */
export const replicaSpecs: readonly FieldSpec[] = [
  'Deployment',
  'ReplicationController',
  'ReplicaSet',
  'StatefulSet',
].map((kind) => ({ path: 'spec/replicas', create: true, kind }));

/** Sets the number of replicas in all resources whose present or former name is the name in the rule. */
export function setReplicas(
  resources: readonly Resource[],
  rule: ReplicaRule,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  let isFound = false;
  for (const spec of specs) {
    const meant = resources.filter((resource) =>
      allIdsOf(resource).some((id) => id.name === rule.name && isForKind(spec, id)),
    );
    for (const resource of meant) {
      isFound = true;
      reportShape(resource, 'the number of replicas', findings, () =>
        visitFields(resource, spec, 'scalar', (slot) => {
          const value = slot.get();
          if (typeof value === 'object' && value !== null)
            throw new ShapeError(spec.path, `expected a number, got ${describe(value)}`);
          slot.set(rule.count);
        }),
      );
    }
  }
  if (isFound) return;
  findings.add({
    code: 'kustomize/no-target',
    message:
      specs.length === 0
        ? `replicas: fieldSpecs names no field in which the count of ${rule.name} is set`
        : `replicas: no ${kindsOf(specs)} has the name ${rule.name}`,
    where: rule.where,
    fix: [
      specs.length === 0
        ? 'name the fields, such as path: spec/replicas'
        : 'give the name that the resource has, without prefixes',
    ],
  });
}

function kindsOf(specs: readonly FieldSpec[]): string {
  const kinds = [...new Set(specs.map(({ kind = '' }) => (kind === '' ? 'object' : kind)))].sort();
  return listText(kinds, 'or');
}
