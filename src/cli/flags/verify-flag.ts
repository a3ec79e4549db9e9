import { Option, type Command } from 'commander';
import type { ClusterOptions } from './cluster-flags.ts';

/** Options that {@link verifyFlag} parses. */
export interface VerifyOptions extends ClusterOptions {
  /** `true` and `'true'` mean `testenv`. */
  readonly verify?: boolean | string;
  readonly only?: 'crd' | 'rbac' | 'webhook';
}

/** Declares `--verify`, with or without a value, and `--no-verify`. */
export function verifyFlag(command: Command): void {
  const positive = new Option(
    '--verify [server]',
    'have an API server check the CRDs without storing them: testenv (the default), a test control plane, or cluster',
  );
  command.addOption(positive).addOption(new Option('--no-verify').hideHelp());
  // commander gives a lone negative option the default `true`.
  command.setOptionValueWithSource(positive.attributeName(), undefined, 'default');
}
