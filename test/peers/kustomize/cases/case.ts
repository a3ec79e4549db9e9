import { posix } from 'node:path';
import type { ErrorCode } from '../../../../src/base/errors/index.ts';

/** A small kustomization that both render. */
export interface RenderCase {
  readonly name: string;
  /** `kustomization.yaml` of the folder `app`. */
  readonly kustomization: string;
  /** The other files, by path relative to `app`. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One that op-sdk refuses. */
export interface RefusalCase extends RenderCase {
  /** The codes of all findings, in order. */
  readonly refused: readonly ErrorCode[];
  /** What kustomize does: refuses it too, or renders it (then the reason why op-sdk does not). */
  readonly kustomize: 'refuses' | { readonly renders: string };
}

/** The files of a case as a tree whose folder is `app`. */
export function treeOf({ kustomization, files = {} }: RenderCase): {
  readonly files: Readonly<Record<string, string>>;
  readonly folder: string;
} {
  const others = Object.entries(files).map(([path, text]) => [posix.join('app', path), text]);
  return {
    folder: 'app',
    files: {
      'app/kustomization.yaml': kustomization,
      ...(Object.fromEntries(others) as Record<string, string>),
    },
  };
}
