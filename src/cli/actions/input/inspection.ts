import type { Inspection } from '../../../cluster/run/index.ts';
import type { FindingList } from '../../../base/errors/index.ts';
import type { InspectOptions } from '../../flags/inspect-flags.ts';
import { exclusiveFlags, invalidFlag } from './flag-values.ts';

/**
 * Reads the settings for a debugger from `--inspect` and `--inspect-brk`.
 * @returns undefined without these flags, and if they are invalid
 */
export function inspectionOf(
  findings: FindingList,
  { inspect, inspectBrk }: InspectOptions,
): Inspection | undefined {
  if (inspect !== undefined && inspectBrk !== undefined) {
    findings.add(exclusiveFlags('--inspect', '--inspect-brk'));
    return undefined;
  }
  const value = inspectBrk ?? inspect;
  if (value === undefined) return undefined;
  const wait = inspectBrk !== undefined;
  if (value === true) return { wait };
  const flag = wait ? '--inspect-brk' : '--inspect';
  // Node takes what it cannot read for a host or a port of its own choice.
  const port = /^(?:(?:\[[0-9a-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(value)?.[1];
  if (port === undefined || Number(port) > 65_535) {
    findings.add(
      invalidFlag(
        flag,
        `${flag}: expected a port, or host:port, got ${JSON.stringify(value)}`,
        `write ${flag}=9229, or ${flag}=127.0.0.1:9229`,
      ),
    );
    return undefined;
  }
  return { address: value, wait };
}
