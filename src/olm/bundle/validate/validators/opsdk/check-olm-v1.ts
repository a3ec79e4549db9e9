import { olmV1Problems } from '../../../olm-v1.ts';
import type { Check } from '../../types.ts';

/** Reports what OLM v1 would refuse in a bundle that OLM v0 installs: warnings, as an operator may be for OLM v0 only. */
export const checkOlmV1: Check<'opsdk'> = ({ csv, dependencies, properties }, { warn }) => {
  if (csv === undefined) return;
  const documents = { csv, dependencies, properties };
  const problems = olmV1Problems({
    csv: csv.value,
    dependencies: dependencies?.value,
    properties: properties?.value,
  });
  for (const { document, path, message, fix } of problems)
    warn('bundle/not-for-olm-v1', [documents[document] ?? csv, path], message, ...fix);
};
