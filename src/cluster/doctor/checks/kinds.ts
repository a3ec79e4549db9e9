import { defineCheck, ok, problem } from '../check.ts';
import { unservedKinds } from '../unserved-kinds.ts';
import { certManagerGroup } from './cert-manager.ts';
import { monitoringGroup } from './monitoring.ts';

/** Checks that the cluster knows every other kind of config/default. */
export const kinds = defineCheck({
  name: 'kinds',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const unserved = unservedKinds(objects, directory).filter(
      ({ group }) => group !== monitoringGroup && group !== certManagerGroup,
    );
    if (unserved.length === 0) return ok('the cluster knows every other kind of config/default');
    const names = unserved.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    return problem(
      'cluster/kind-not-served',
      `config/default has kinds that the cluster does not know: ${names.join(', ')}`,
      'correct apiVersion and kind, or install the CRDs that define them',
    );
  },
});
