import { fieldAt, listOf, mapOf, textOf } from '../../fields.ts';
import { installModesOf, installModesPath } from '../../install-modes.ts';
import type { Check } from '../../types.ts';

/**
 * `spec.installModes`: at least one that is supported; with conversion webhooks, AllNamespaces and no other.
 * Source: operator-framework/api `csv.go` `validateInstallModes`.
 */
export const checkInstallModes: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  const modes = installModesOf(csv);
  if (modes.length === 0) {
    const message = 'spec.installModes is missing, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, ['spec']], message, 'write {type: AllNamespaces, supported: true}');
    return;
  }
  if (!modes.some(({ supported }) => supported)) {
    const message = 'no install mode is supported, so OLM cannot install the operator anywhere';
    error('bundle/install-modes', [csv, installModesPath], message, 'write supported: true for one of them');
  }
  const isOnlyAll = modes.every(({ type, supported }) => supported === (type === 'AllNamespaces'));
  const webhooks = ['spec', 'webhookdefinitions'] as const;
  for (const [index, entry] of listOf(fieldAt(csv.value, ...webhooks)).entries()) {
    const { generateName, conversionCRDs } = mapOf(entry);
    if (isOnlyAll || listOf(conversionCRDs).length === 0) continue;
    error(
      'bundle/conversion-webhook',
      [csv, [...webhooks, index]],
      `the webhook ${textOf(generateName)} converts objects of all namespaces, but other install modes than AllNamespaces are supported, or that one is not`,
      'support the install mode AllNamespaces only',
    );
  }
};
