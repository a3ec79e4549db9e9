import type { ClusterOptions } from './cluster-flags.ts';
import { dryRunFlag } from './common.ts';
import { flag, type OptionsOf } from './flag.ts';

/** `--inspect` and `--inspect-brk`, with or without an address, as Node defines them. */
export const inspectFlags = {
  inspect: flag.optional('[host:]port', 'let a debugger attach to the operator (default: 127.0.0.1:9229)'),
  'inspect-brk': flag.optional(
    '[host:]port',
    'the same, and wait for it before the first line of the operator',
  ),
};
export type InspectOptions = Partial<OptionsOf<typeof inspectFlags>>;

/** `--verify`, with or without a value (`true` and `'true'` mean `testenv`), and `--no-verify`. */
export const verifyFlag = {
  verify: flag.refusable(
    flag.optional(
      'server',
      'have an API server check the CRDs without storing them: testenv (the default), a test control plane, or cluster',
    ),
  ),
};

export type VerifyOptions = OptionsOf<typeof verifyFlag> &
  ClusterOptions & { readonly only: 'crd' | 'rbac' | 'webhook' | undefined };

/** Flags of every command that edits a kustomization. */
export const editFlags = {
  dir: flag.text('folder', 'the folder of the kustomization (default: the current folder)'),
  ...dryRunFlag,
};
export type EditOptions = OptionsOf<typeof editFlags>;
