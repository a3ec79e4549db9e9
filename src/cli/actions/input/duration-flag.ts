import { OpSdkError } from '../../../base/errors/index.ts';
import { durationMs } from '../../../sdk/runtime/duration.ts';
import { invalidFlag } from './flag-values.ts';

/**
 * The value of a flag such as `--timeout 90s`, in milliseconds.
 *
 * @param text undefined if the flag is not given
 * @throws OpSdkError `cli/invalid-value`
 */
export function durationFlag(flag: string, text: string | undefined, initial: number): number {
  if (text === undefined) return initial;
  try {
    return durationMs(text);
  } catch (error) {
    const finding = invalidFlag(
      flag,
      `${flag} is ${JSON.stringify(text)}, which is not a duration`,
      'write numbers with units: 90s, 5m, 1h30m',
    );
    throw new OpSdkError(finding, { cause: error });
  }
}
