import { listOf, textOf } from '../../validate/fields.ts';
import { ownedEntriesIn } from '../../validate/owned-kinds.ts';
import type { ManifestTest } from './subject.ts';

/** `olm-crds-have-resources`: each owned kind lists the kinds that the operator makes for it. Source: operator-sdk `internal/scorecard/tests/olm.go`. */
export const crdsHaveResources: ManifestTest = ({ csv }) => {
  const errors = ownedEntriesIn(csv)
    .filter(({ resources }) => listOf(resources).length === 0)
    .map(({ kind, version }) => `the owned kind ${textOf(kind)} ${textOf(version)} lists no resources`);
  return {
    state: errors.length === 0 ? 'pass' : 'fail',
    log: [`read ${csv.name}`],
    errors,
    suggestions: errors.length === 0 ? [] : [resourcesHelp],
  };
};

const resourcesHelp =
  'write spec.customresourcedefinitions.owned[].resources into the base ClusterServiceVersion: kind, version and name of each';
