import type { FindingList, Where } from '../../../base/errors/index.ts';
import { copier, type Copy } from '../build/copies.ts';
import type { PatchContext, PatchEntry, PatchTarget } from '../entries.ts';
import {
  idOf,
  type Resource,
  allIdsOf,
  describeId,
  effectiveNamespace,
  originalIdOf,
  rememberId,
  sameId,
} from '../resource.ts';
import { isObject, applyJsonPatchStep, JsonPatchError } from '../../objects/index.ts';
import { printAndRead } from '../written-values.ts';
import { parseSelector, type Selector, metaOf } from '../select/selector.ts';
import { mergeInto } from './merge-into.ts';
import { readPatch, type MergePatch, type StepPatch } from './read-patch.ts';

/**
 * Applies patches in their order.
 *
 * As in kustomize, a strategic merge patch without a target must match exactly one resource, by the present name or a former name of the
 * resource. A target may select any number of resources, including none.
 *
 * @param resources changed in place; resources for which a patch has `$patch: delete` are removed
 * @throws OpSdkError `kustomize/too-large` if the resources grow too large
 */
export function applyPatches(
  resources: Resource[],
  patches: readonly PatchEntry[],
  { findings, applied }: PatchContext,
): void {
  let place: Where | undefined;
  const copy = copier(() => place ?? { file: '.' });
  for (const entry of patches) {
    place = entry.where;
    const patch = readPatch(entry, findings, copy);
    if (patch === undefined) continue;
    const [first] = patch;
    if (first?.kind === 'steps') applySteps(resources, entry, first, findings, copy);
    else applyMerges(resources, entry, patch as readonly MergePatch[], findings, copy);
    applied?.();
  }
}

function applyMerges(
  resources: Resource[],
  entry: PatchEntry,
  patches: readonly MergePatch[],
  findings: FindingList,
  copy: Copy,
): void {
  if (entry.target !== undefined && patches.length > 1) {
    findings.add({
      code: 'kustomize/invalid-patch',
      message: 'expected one object in a patch with a target, got several',
      where: entry.where,
      fix: ['give each object an entry of its own, or leave the target out'],
    });
    return;
  }
  for (const patch of patches) {
    const targets =
      entry.target === undefined
        ? findMeant(resources, patch, findings)
        : select(resources, entry.target, entry.where, findings);
    for (const resource of targets) {
      if (mergeInto(resource, patch, entry.options ?? {}, findings, copy) !== 'deleted') continue;
      resources.splice(resources.indexOf(resource), 1);
    }
    if (entry.options !== undefined) reportClash(resources, targets, patch.locate([]), findings);
  }
}

function applySteps(
  resources: Resource[],
  entry: PatchEntry,
  { steps }: StepPatch,
  findings: FindingList,
  copy: Copy,
): void {
  if (entry.target === undefined) {
    findings.add({
      code: 'kustomize/invalid-patch',
      message: 'the JSON 6902 patch has no target, which such a patch needs',
      where: entry.where,
      fix: ['add `target` with the kind and name of the resource'],
    });
    return;
  }
  const targets = select(resources, entry.target, entry.where, findings);
  for (const resource of targets) {
    if (entry.from === 'patches') rememberId(resource);
    // Converts the resource to JSON and back, as kustomize does before it applies the steps of a JSON 6902 patch.
    printAndRead(resource.object);
    let document: unknown = resource.object;
    for (const { step, where } of steps) {
      try {
        document = applyJsonPatchStep(document as Resource['object'], step, copy);
      } catch (error) {
        if (!(error instanceof JsonPatchError)) throw error;
        findings.add({
          code: 'kustomize/patch-failed',
          message: `the JSON 6902 patch does not fit ${describeId(idOf(resource))}: ${error.message}`,
          where,
          fix: ['correct the path, or the target'],
        });
        break;
      }
    }
    setObject(resource, document as Resource['object'], entry.where, findings);
  }
  reportClash(resources, targets, entry.where, findings);
}

function setObject(
  resource: Resource,
  document: Resource['object'],
  where: Where,
  findings: FindingList,
): void {
  const { kind, name } = isObject(document) ? idOf({ object: document }) : { kind: '', name: '' };
  if (kind !== '' && name !== '') {
    resource.object = document;
    // kustomize converts the resource to JSON. After that, the fields of the resource no longer share values.
    resource.sharedTexts = [];
    return;
  }
  findings.add({
    code: 'kustomize/patch-failed',
    message: `the JSON 6902 patch leaves ${describeId(idOf(resource))} without a kind or a name`,
    where,
    fix: ['keep kind and name; to delete the resource, write `$patch: delete` in a strategic merge patch'],
  });
}

/** Finds the one resource whose kind, name and namespace a patch without a target contains. */
function findMeant(
  resources: readonly Resource[],
  { object, locate }: MergePatch,
  findings: FindingList,
): readonly Resource[] {
  const id = idOf({ object });
  const meant = resources.filter((resource) => allIdsOf(resource).some((other) => sameId(other, id)));
  if (meant.length === 1) return meant;
  const similar = resources.filter(({ object }) => idOf({ object }).kind === id.kind).slice(0, 5);
  findings.add({
    code: 'kustomize/no-target',
    message:
      meant.length === 0
        ? `the patch is for ${describeId(id)}, but the build has no such resource`
        : `the patch is for ${describeId(id)}, but several resources are this object, or were before they were renamed`,
    where: locate(['metadata', 'name']),
    fix: [
      meant.length === 0 && similar.length > 0
        ? `there is ${similar.map((resource) => describeId(idOf(resource))).join(', ')}: correct the patch`
        : 'correct apiVersion, kind, name and namespace, or give the patch a target',
    ],
  });
  return [];
}

function select(
  resources: readonly Resource[],
  target: PatchTarget,
  where: Where,
  findings: FindingList,
): readonly Resource[] {
  const parsed = parseSelector(target);
  if (parsed.selector !== undefined)
    return resources.filter((resource) => isSelected(resource, parsed.selector));
  for (const { field, message } of parsed.problems)
    findings.add({
      code: 'kustomize/invalid-selector',
      message: `target.${field} is ${JSON.stringify(target[field])}: ${message}`,
      where,
      fix: ['correct the target'],
    });
  return [];
}

/** Returns true if the selector of a target matches the original id or the present id of a resource. */
function isSelected(resource: Resource, selector: Selector): boolean {
  const now = idOf(resource);
  const ids = [originalIdOf(resource), now];
  return (
    ids.some((id) => selector.namespace(effectiveNamespace(id))) &&
    ids.some((id) => selector.name(id.name)) &&
    selector.kind(now) &&
    selector.labels(metaOf(resource.object, 'labels')) &&
    selector.annotations(metaOf(resource.object, 'annotations'))
  );
}

function reportClash(
  resources: readonly Resource[],
  changed: readonly Resource[],
  where: Where,
  findings: FindingList,
): void {
  for (const resource of changed) {
    const id = idOf(resource);
    const clash = resources.find((other) => other !== resource && sameId(idOf(other), id));
    if (clash === undefined || !resources.includes(resource)) continue;
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the patch makes two resources the same object ${describeId(id)}`,
      where,
      fix: ['let the patch select only one of the resources, or let it keep their name, namespace and kind'],
    });
    return;
  }
}
