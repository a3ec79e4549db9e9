import type { Finding } from '../../../../base/errors/index.ts';
import type { BundleResult } from './collect-findings.ts';
import { joinResults, type JoinedFinding } from './join-results.ts';

/** The errors of operator-framework's validators, which keep a bundle from passing, each once. */
export function countedErrors(results: readonly BundleResult[]): readonly Finding[] {
  return joinResults(results)
    .filter(isCountedError)
    .map(({ code, message, where, fix }) => ({
      code,
      message,
      ...(where === undefined ? {} : { where }),
      ...(fix === undefined ? {} : { fix }),
    }));
}

/** Tells errors that keep a bundle from passing from those of op-sdk's own validator alone. */
export function isCountedError({ level, validators }: Pick<JoinedFinding, 'level' | 'validators'>): boolean {
  return level === 'error' && validators.some((name) => name !== 'opsdk');
}
