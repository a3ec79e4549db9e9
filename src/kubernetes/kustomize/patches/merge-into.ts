import type { FindingList } from '../../../base/errors/index.ts';
import type { Copy } from '../build/copies.ts';
import type { PatchEntry } from '../entries.ts';
import {
  idOf,
  type Resource,
  type ResourceId,
  describeId,
  rememberId,
  hasInternalAnnotations,
} from '../resource.ts';
import { isObject, type JsonObject } from '../../objects/index.ts';
import { followCopy, spreadPatched, type PatchedText } from '../shared-texts.ts';
import { checkDirectives, findClearedAnnotations, findLeftDirective } from './directives.ts';
import type { PatchPath } from './merge-list.ts';
import type { MergePatch } from './read-patch.ts';
import { mergeObject } from './strategic-merge.ts';

/**
 * Kinds that Kubernetes has dropped since 1.21, but whose lists kustomize still merges. The tables of merge schemas do not contain these
 * kinds, so a merge would silently replace their lists. Patches of these kinds are therefore refused.
 */
const droppedKinds = new Set(
  Object.entries({
    'apiextensions.k8s.io/v1beta1': 'CustomResourceDefinition',
    'autoscaling/v2beta1': 'HorizontalPodAutoscaler',
    'autoscaling/v2beta2': 'HorizontalPodAutoscaler',
    'certificates.k8s.io/v1beta1': 'CertificateSigningRequest',
    'discovery.k8s.io/v1beta1': 'EndpointSlice',
    'events.k8s.io/v1beta1': 'Event',
    'flowcontrol.apiserver.k8s.io/v1beta1': 'FlowSchema PriorityLevelConfiguration',
    'policy/v1beta1': 'PodSecurityPolicy',
    'storage.k8s.io/v1beta1': 'CSIStorageCapacity VolumeAttachment',
  }).flatMap(([apiVersion, kinds]) => kinds.split(' ').map((kind) => `${apiVersion} ${kind}`)),
);

/** Returns true for a kind that kustomize merges by a schema that is missing in the tables of merge schemas. */
function isDroppedKind(apiVersion: string, kind: string): boolean {
  return droppedKinds.has(`${apiVersion} ${kind}`);
}

/**
 * Merges a strategic merge patch into a resource. The resource keeps its kind and name unless the options allow the change. It always keeps
 * its apiVersion and namespace.
 *
 * @param resource changed in place, but left unchanged if there is a problem, which is reported as a finding
 */
export function mergeInto(
  resource: Resource,
  { object: patch, locate }: MergePatch,
  { allowNameChange = false, allowKindChange = false }: NonNullable<PatchEntry['options']>,
  findings: FindingList,
  copyOf: Copy,
): 'merged' | 'deleted' | 'failed' {
  const id = idOf(resource);
  let failed = false;
  const report = (path: PatchPath, message: string, fix: string): void => {
    failed = true;
    findings.add({
      code: 'kustomize/patch-failed',
      message: `the patch does not fit ${describeId(id)}: ${path.length === 0 ? '' : `${show(path)}: `}${message}`,
      where: locate(path),
      fix: [fix],
    });
  };

  checkDirectives(patch, report);
  if (patch['$patch'] === 'replace') {
    report(
      ['$patch'],
      'kustomize ignores $patch: replace for a whole object',
      'replace its parts, or remove the resource from the build and add the new one',
    );
  }
  const cleared = findClearedAnnotations(patch);
  if (cleared !== undefined && hasInternalAnnotations(resource)) {
    report(
      cleared,
      'the patch removes all annotations of the object, in which kustomize keeps its former names and whether its name ends in a hash: references to the object would break',
      'remove annotations by their names, each with null, or use a JSON 6902 patch',
    );
  }
  const apiVersion = resource.object['apiVersion'];
  if (typeof apiVersion === 'string' && isDroppedKind(apiVersion, id.kind)) {
    report(
      ['apiVersion'],
      `the patch is for ${apiVersion} ${id.kind}, which Kubernetes no longer has; kustomize still merges its lists in a way of its own`,
      'change the resource to a version that is served, or use a JSON 6902 patch',
    );
  }
  if (failed) return 'failed';

  const copy = copyOf(patch);
  if (apiVersion === undefined) delete copy['apiVersion'];
  else copy['apiVersion'] = apiVersion;
  const present = copyOf(resource.object);
  const sharedTexts = followCopy(resource, present);
  const patched: PatchedText[] = [];
  const merged = mergeObject(present, copy, { report, patched: (text) => patched.push(text) });
  const left = merged === undefined ? undefined : findLeftDirective(merged);
  if (left !== undefined && findLeftDirective(resource.object) === undefined) {
    report(
      left,
      '$patch has no effect here: kustomize does not look for it, and would leave it in the object',
      'write the list in full, or use a JSON 6902 patch',
    );
  }
  if (failed) return 'failed';
  if (merged === undefined) return 'deleted';

  if (allowNameChange || allowKindChange) rememberId(resource);
  resource.object = merged;
  resource.sharedTexts = sharedTexts;
  spreadPatched(resource, patched);
  restore(merged, id, { allowNameChange, allowKindChange });
  return 'merged';
}

function restore(
  object: JsonObject,
  { kind, name, namespace }: ResourceId,
  {
    allowNameChange,
    allowKindChange,
  }: { readonly allowNameChange: boolean; readonly allowKindChange: boolean },
): void {
  if (!allowKindChange) object['kind'] = kind;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  if (!allowNameChange) metadata['name'] = name;
  if (namespace === '') delete metadata['namespace'];
  else metadata['namespace'] = namespace;
  object['metadata'] = metadata;
}

function show(path: PatchPath): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
}
