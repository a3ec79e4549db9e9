import type { FindingList, Where } from '../../base/errors/index.ts';
import type { JsonObject } from '../objects/index.ts';
import type { FieldSpec } from './transform/field-spec.ts';

/** Fields of a kustomization that contain patches. */
export type PatchField = 'patches' | 'patchesStrategicMerge' | 'patchesJson6902';

/**
 * Conditions that select the resources that a patch changes. The texts are regular expressions that match the complete value. For labels
 * and annotations, the texts are selectors.
 */
export interface PatchTarget {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

/** Patch of a kustomization. The file of the patch has been read already. */
export interface PatchEntry {
  /** Text of the patch, as YAML or JSON. */
  readonly text: string;
  /** File named in findings: the file of the patch or, if the patch is written inline, the kustomization. */
  readonly file: string;
  readonly target?: PatchTarget;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
  readonly from: PatchField;
  /** Source location of the entry in the kustomization. */
  readonly where: Where;
}

export interface PatchContext {
  readonly findings: FindingList;
  /** Called each time a patch entry has been applied. */
  readonly applied?: () => void;
}

/** Entry of `replacements`. The file of the entry has been read already. */
export interface ReplacementEntry {
  /** Content of the entry with `source` and `targets`, which have not been checked yet. */
  readonly value: JsonObject;
  /** Source location of the entry in the kustomization. */
  readonly where: Where;
  /** Returns the source location of a part of `value`, either in the kustomization or in the file that the entry names. */
  locate(path: readonly (string | number)[]): Where;
}

export interface ReplacementContext {
  readonly findings: FindingList;
}

/** Path that a kustomization contains, and its source location. */
export interface PathEntry {
  readonly path: string;
  readonly where: Where;
}

/** Source of a patch or replacement in a kustomization: either the path of a file that has not been read yet, or an inline text. */
interface TextSource {
  readonly path?: PathEntry;
  readonly text?: string;
}

/** Patch of a kustomization. The file of the patch has not been read yet. */
export type UnreadPatch = Omit<PatchEntry, 'text' | 'file'> & { readonly source: TextSource };

/** Replacement of a kustomization. The file of the replacement has not been read yet. */
export type UnreadReplacement = Pick<ReplacementEntry, 'value' | 'where' | 'locate'> & {
  readonly path?: PathEntry;
};

/** Entry of `labels` in a kustomization. */
export interface LabelRule {
  readonly pairs: Readonly<Record<string, string>>;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  /** Additional fields that get the labels, as listed in this entry of `labels`. */
  readonly fields: readonly FieldSpec[];
  readonly where: Where;
}

/** Entry of `images` in a kustomization. Empty texts count as absent, as in kustomize. */
export interface ImageRule {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly tagSuffix?: string;
  readonly digest?: string;
}

/** Entry of `replicas` in a kustomization. */
export interface ReplicaRule {
  readonly name: string;
  readonly count: number;
  readonly where: Where;
}

/** Subjects in role bindings for which kustomize sets the new namespace. */
export type SubjectMode = 'defaultOnly' | 'allServiceAccounts' | 'none';

export type SortOrder =
  | { readonly order: 'fifo' }
  | { readonly order: 'legacy'; readonly first: readonly string[]; readonly last: readonly string[] };

/** Configuration of a built-in transformer of kustomize. The files that it names have not been read yet. */
export type TransformerRule =
  | { readonly type: 'labels' | 'annotations'; readonly pairs: Pairs; readonly specs: Specs }
  | {
      readonly type: 'namespace';
      readonly namespace: string;
      readonly specs: Specs;
      readonly unsetOnly: boolean;
      readonly subjects: SubjectMode;
    }
  | { readonly type: 'affixes'; readonly prefix?: string; readonly suffix?: string; readonly specs: Specs }
  | { readonly type: 'patches'; readonly file: string; readonly patches: readonly UnreadPatch[] }
  | { readonly type: 'image'; readonly rule: ImageRule; readonly specs: Specs }
  | { readonly type: 'replicas'; readonly rule: ReplicaRule; readonly specs: Specs }
  | { readonly type: 'replacements'; readonly replacements: readonly UnreadReplacement[] }
  | { readonly type: 'hash' };

type Pairs = Readonly<Record<string, string>>;
type Specs = readonly FieldSpec[];
