import type { Finding } from '../../../errors/index.ts';
import type { BundleResult } from './collect-findings.ts';
import { joinResults } from './join-results.ts';

/** The errors of operator-framework's validators, which keep a bundle from passing, each once. */
export function countedErrors(results: readonly BundleResult[]): readonly Finding[] {
  return joinResults(results)
    .filter(({ level, validators }) => level === 'error' && validators.some((name) => name !== 'opsdk'))
    .map(({ code, message, where, fix }) => ({
      code,
      message,
      ...(where === undefined ? {} : { where }),
      ...(fix === undefined ? {} : { fix }),
    }));
}
