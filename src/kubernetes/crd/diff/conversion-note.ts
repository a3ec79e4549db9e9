import type { CrdChange } from './change.ts';
import type { Definition } from './definition.ts';

/**
 * Definitions with changed schemas whose objects a webhook converts: what is compatible by the schemas may be lost there, and only the
 * conversion's own test can tell.
 *
 * @returns a sentence for people; undefined if there are none
 */
export function conversionNote(
  changes: readonly CrdChange[],
  now: readonly Definition[],
): string | undefined {
  const names = now
    .filter(({ conversion, versions }) => conversion['strategy'] === 'Webhook' && versions.length > 1)
    .map(({ name }) => name)
    .filter((name) =>
      changes.some(
        ({ crd, version, code }) => crd === name && version !== undefined && code !== 'documentation',
      ),
    );
  if (names.length === 0) return undefined;
  return `${names.join(', ')}: a webhook converts between the versions, which this comparison does not see. Test the conversion: expectRoundTrip of opsdk/testing.`;
}
