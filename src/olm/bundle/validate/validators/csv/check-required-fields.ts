import { isJsonMap } from '../../../../../base/util/json-map.ts';
import { fieldName } from '../../fields.ts';
import type { BundleObject, Check, FieldPath } from '../../types.ts';

/**
 * Fields that must be there and hold something, outside of lists.
 * Source: operator-framework/api `typecheck.go` `checkEmptyFields`, over `v1alpha1.ClusterServiceVersion`.
 */
export const checkRequiredFields: Check<'csv'> = ({ csv }, { error }) => {
  if (csv === undefined) return;
  for (const path of missingFields(csv)) {
    const message = `${fieldName(path)} is missing or empty`;
    error('bundle/missing-field', [csv, path], message, `write ${String(path.at(-1))}`);
  }
};

function missingFields({ value }: BundleObject): readonly FieldPath[] {
  const { spec } = value;
  if (!isJsonMap(spec) || isZero(spec)) return [['spec']];
  const { install, displayName } = spec;
  const missing: FieldPath[] = [];
  if (!isJsonMap(install) || isZero(install)) missing.push(['spec', 'install']);
  else {
    if (isZero(install['strategy'])) missing.push(['spec', 'install', 'strategy']);
    const strategy = install['spec'];
    // An empty list is there.
    if (isJsonMap(strategy) && !isZero(strategy) && !Array.isArray(strategy['deployments']))
      missing.push(['spec', 'install', 'spec', 'deployments']);
  }
  if (isZero(displayName)) missing.push(['spec', 'displayName']);
  return missing;
}

/** Returns true if Go reads a value as the zero value of its type. Empty lists and mappings of their own are not. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return isJsonMap(value) && Object.values(value).every(isZero);
}
