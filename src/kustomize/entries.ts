import type { FindingList, Where } from '../errors/index.ts';
import type { JsonObject } from './resource.ts';

/** The fields of a kustomization that hold patches. */
export type PatchField = 'patches' | 'patchesStrategicMerge' | 'patchesJson6902';

/** The resources a patch is for; the strings are regular expressions that match the whole value, labels and annotations are selectors. */
export interface PatchTarget {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

/** A patch of a kustomization, its file already read. */
export interface PatchEntry {
  /** The patch itself, as YAML or JSON. */
  readonly text: string;
  /** The name that findings give: the patch's file or, if it is written inline, the kustomization. */
  readonly file: string;
  readonly target?: PatchTarget;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
  readonly from: PatchField;
  /** The entry in the kustomization. */
  readonly where: Where;
}

export interface PatchContext {
  readonly findings: FindingList;
  /** Called after each entry. */
  readonly applied?: () => void;
}

/** An entry of `replacements`, its file already read. */
export interface ReplacementEntry {
  /** The entry: `source` and `targets`, nothing of it checked yet. */
  readonly value: JsonObject;
  /** The entry in the kustomization. */
  readonly where: Where;
  /** The place of a part of `value`, in the kustomization or in the entry's own file. */
  locate(path: readonly (string | number)[]): Where;
}

export interface ReplacementContext {
  readonly findings: FindingList;
}
