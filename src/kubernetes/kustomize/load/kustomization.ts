import type { Where } from '../../../base/errors/index.ts';
import type {
  ImageRule,
  LabelRule,
  PatchEntry,
  PathEntry,
  ReplacementEntry,
  ReplicaRule,
  SortOrder,
  TransformerRule,
  UnreadPatch,
  UnreadReplacement,
} from '../entries.ts';
import type { Behavior, GeneratorRule } from '../generators/generator-rule.ts';
import type { JsonObject } from '../resource.ts';
import type { TransformerConfig } from '../config/transformer-config.ts';
import type { Variable } from '../vars/variable.ts';

/** The supported values of `buildMetadata`. */
export type BuildMetadata = 'originAnnotations' | 'transformerAnnotations';

/** The checked fields of a kustomization. Absent fields are empty. */
export interface Fields {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources: readonly PathEntry[];
  readonly components: readonly PathEntry[];
  /** Files, or the texts themselves. */
  readonly generatorPlugins: readonly PathEntry[];
  /** The same. */
  readonly transformerPlugins: readonly PathEntry[];
  /** ConfigMaps first. */
  readonly generators: readonly GeneratorRule[];
  readonly namespace: string;
  readonly namePrefix: string;
  readonly nameSuffix: string;
  readonly labels: readonly LabelRule[];
  readonly commonLabels: Readonly<Record<string, string>>;
  readonly commonAnnotations: Readonly<Record<string, string>>;
  readonly images: readonly ImageRule[];
  readonly replicas: readonly ReplicaRule[];
  readonly patches: readonly UnreadPatch[];
  readonly replacements: readonly UnreadReplacement[];
  readonly configurations: readonly PathEntry[];
  readonly crds: readonly PathEntry[];
  readonly vars: readonly Variable[];
  /** Only those of the outermost kustomization count. */
  readonly buildMetadata: readonly BuildMetadata[];
  readonly sortOrder: SortOrder | undefined;
}

/** A resource as its file has it: copied each time the file is used. */
export interface Template {
  readonly object: JsonObject;
  readonly where: Where;
}

/** A ConfigMap or Secret as its generator makes it. */
export interface Generated extends Template {
  readonly behavior: Behavior;
  readonly isHashed: boolean;
  /** True for a generator of a plugin file; false for one of the kustomization's own fields. */
  readonly isPlugin: boolean;
  /** The size of its content in bytes. */
  readonly bytes: number;
}

/** A transformer whose files have been read. */
export type LoadedTransformer =
  | Exclude<TransformerRule, { readonly type: 'patches' | 'replacements' }>
  | { readonly type: 'patches'; readonly patches: readonly PatchEntry[] }
  | { readonly type: 'replacements'; readonly replacements: readonly ReplacementEntry[] };

/** A folder with everything that its kustomization names. */
export interface Folder {
  /** The kustomization, for findings. */
  readonly file: string;
  /** The absolute path, links resolved. */
  readonly root: string;
  readonly fields: Fields;
  /** In the order of the kustomization. */
  readonly resources: readonly (readonly Template[] | Folder)[];
  readonly generated: readonly Generated[];
  readonly components: readonly Folder[];
  /** Its own, with kustomize's. */
  readonly config: TransformerConfig;
  readonly patches: readonly PatchEntry[];
  readonly replacements: readonly ReplacementEntry[];
  /** The entries of `transformers`: they run behind all others. */
  readonly transformers: readonly LoadedTransformer[];
}
