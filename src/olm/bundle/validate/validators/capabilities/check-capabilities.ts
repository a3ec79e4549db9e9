import { reportCapabilities } from '../../capability-level.ts';
import type { Check } from '../../types.ts';

/** Source: operator-framework/api `standardcapabilities.go`. */
export const checkCapabilities: Check<'capabilities'> = ({ csv }, report) => {
  if (csv !== undefined) reportCapabilities(csv, report);
};
