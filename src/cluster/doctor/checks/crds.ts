import { checkKinds } from '../../run/check-kinds.ts';
import { defineCheck, ok, problemOf, skipped } from '../check.ts';

/** Checks that the cluster serves the kinds of the project, in the versions that its controllers use. */
export const crds = defineCheck({
  name: 'crds',
  needs: ['project', 'kinds', 'cluster'],
  async run({ kinds, cluster: { client } }, { signal }) {
    const findings = await checkKinds(client, kinds, signal);
    if (findings.length > 0) return problemOf(findings);
    if (kinds.declared.length === 0) return skipped('the project declares no kind yet');
    return ok(
      `${kinds.declared.map(({ crd }) => crd).join(', ')}: installed, and served as the controllers need it`,
    );
  },
});
