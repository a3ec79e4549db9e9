import type { FindingList, Where } from '../../base/errors/index.ts';
import type { JsonObject } from '../objects/index.ts';
import type { FieldSpec } from './transform/field-spec.ts';

/** The fields of a kustomization that hold patches. */
export type PatchField = 'patches' | 'patchesStrategicMerge' | 'patchesJson6902';

/**
 * The resources that a patch changes. The strings are regular expressions that match the complete value; labels and annotations are
 * selectors.
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

/** A patch of a kustomization, after its file has been read. */
export interface PatchEntry {
  /** The patch itself, as YAML or JSON. */
  readonly text: string;
  /** The file named in findings: the patch's file or, if the patch is written inline, the kustomization. */
  readonly file: string;
  readonly target?: PatchTarget;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
  readonly from: PatchField;
  /** The place of the entry in the kustomization. */
  readonly where: Where;
}

export interface PatchContext {
  readonly findings: FindingList;
  /** Called after each entry has been applied. */
  readonly applied?: () => void;
}

/** An entry of `replacements`, after its file has been read. */
export interface ReplacementEntry {
  /** The entry with `source` and `targets`, none of which has been checked yet. */
  readonly value: JsonObject;
  /** The place of the entry in the kustomization. */
  readonly where: Where;
  /** Returns the place of a part of `value`, either in the kustomization or in the entry's own file. */
  locate(path: readonly (string | number)[]): Where;
}

export interface ReplacementContext {
  readonly findings: FindingList;
}

/** A path that a kustomization contains. */
export interface PathEntry {
  readonly path: string;
  readonly where: Where;
}

/** The source of a patch or replacement in a kustomization: the path of a file that has not been read yet, or an inline text. */
interface TextSource {
  readonly path?: PathEntry;
  readonly text?: string;
}

/** A patch of a kustomization whose file has not been read yet. */
export type UnreadPatch = Omit<PatchEntry, 'text' | 'file'> & { readonly source: TextSource };

/** A replacement of a kustomization whose file has not been read yet. */
export type UnreadReplacement = Pick<ReplacementEntry, 'value' | 'where' | 'locate'> & {
  readonly path?: PathEntry;
};

/** An entry of `labels`. */
export interface LabelRule {
  readonly pairs: Readonly<Record<string, string>>;
  readonly includeSelectors: boolean;
  readonly includeTemplates: boolean;
  /** Further fields that the user lists in the entry. */
  readonly fields: readonly FieldSpec[];
  readonly where: Where;
}

/** An entry of `images`. Empty texts are absent, as in kustomize. */
export interface ImageRule {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly tagSuffix?: string;
  readonly digest?: string;
}

/** An entry of `replicas`. */
export interface ReplicaRule {
  readonly name: string;
  readonly count: number;
  readonly where: Where;
}

/** Selects the subjects of role bindings that get a new namespace. */
export type SubjectMode = 'defaultOnly' | 'allServiceAccounts' | 'none';

export type SortOrder =
  | { readonly order: 'fifo' }
  | { readonly order: 'legacy'; readonly first: readonly string[]; readonly last: readonly string[] };

/** A built-in transformer of kustomize, whose files have not been read yet. */
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
