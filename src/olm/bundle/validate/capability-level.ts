import { fieldAt, mapOf } from './fields.ts';
import { annotationText } from './annotations.ts';
import type { BundleObject, Complain } from './types.ts';

/** From the least to the most. */
export const capabilityLevels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];

/** The annotation `capabilities`. Source: operator-framework/api `standardcapabilities.go`. */
export function reportCapabilities(
  csv: BundleObject,
  { error }: { readonly error: Complain<'bundle/capability-level'> },
): void {
  const annotations = mapOf(fieldAt(csv.value, 'metadata', 'annotations'));
  if (!('capabilities' in annotations)) return;
  const level = annotationText(annotations['capabilities']) ?? '';
  if (capabilityLevels.includes(level)) return;
  error(
    'bundle/capability-level',
    [csv, ['metadata', 'annotations', 'capabilities']],
    `the capability level is ${JSON.stringify(level)}; expected one of ${capabilityLevels.join(', ')}`,
    'write one of them',
  );
}
