import { constants } from 'node:os';
import type { ProcessExit } from '../../base/process/guardian.ts';

/** The exit code of a process as shells say it: 128 and the signal's number if a signal ended it. */
export function exitCodeOfProcess({ code, signal }: ProcessExit): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}
