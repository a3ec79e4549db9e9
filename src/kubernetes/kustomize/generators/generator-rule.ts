import type { Where } from '../../../base/errors/index.ts';
import type { PathEntry } from '../entries.ts';

/** Treatment of an object of the same name in the build: `create` expects none, `merge` and `replace` need one and change it. */
export type Behavior = 'create' | 'merge' | 'replace';

/** An entry of `files`: the content of a file under a key. */
export interface FileSource {
  readonly key: string;
  readonly file: PathEntry;
}

/** An entry of `literals`. */
export interface Literal {
  readonly key: string;
  readonly value: string;
  readonly where: Where;
}

/** An entry of `configMapGenerator` or `secretGenerator`, the options of its kustomization included. */
export interface GeneratorRule {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly namespace: string;
  readonly behavior: Behavior;
  /** The `type` of a Secret; `''` if none is given, for `Opaque`. */
  readonly type: string;
  readonly envs: readonly PathEntry[];
  readonly literals: readonly Literal[];
  readonly files: readonly FileSource[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly immutable: boolean;
  /** True if the name ends in a hash of the content. */
  readonly isHashed: boolean;
  readonly where: Where;
}
