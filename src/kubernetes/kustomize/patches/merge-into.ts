import type { FindingList } from '../../../base/errors/index.ts';
import type { Copy } from '../build/copier.ts';
import type { PatchEntry } from '../entries.ts';
import { describeId, rememberId } from '../ids.ts';
import { hasInternalAnnotations } from '../internal-annotations.ts';
import { idOf, isObject, type JsonObject, type Resource, type ResourceId } from '../resource.ts';
import { followCopy, spreadPatched, type PatchedText } from '../shared-texts.ts';
import { checkDirectives, findClearedAnnotations, findLeftDirective } from './directives.ts';
import { mergeObject } from './merge-object.ts';
import type { PatchPath } from './merge-problem.ts';
import { isDroppedKind } from './merge-schema.ts';
import type { MergePatch } from './read-patch.ts';

/**
 * Merges a strategic merge patch into a resource. Its kind and name stay unless the options allow the change, its
 * apiVersion and namespace in any case.
 *
 * @param resource changed in place, unless something is wrong, which is among the findings then
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
      'kustomize keeps the former names of the object, and that its name ends in a hash, in its annotations: without them references break',
      'remove annotations by their names, each with null, or use a JSON 6902 patch',
    );
  }
  const apiVersion = resource.object['apiVersion'];
  if (typeof apiVersion === 'string' && isDroppedKind(apiVersion, id.kind)) {
    report(
      ['apiVersion'],
      `Kubernetes has dropped ${apiVersion} ${id.kind}; kustomize still merges its lists in its own way`,
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
      'kustomize does not look for $patch here: it would stay in the object',
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
