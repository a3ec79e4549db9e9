import { withArticle } from '../../../base/util/article.ts';
import { groupOf } from '../../../base/util/api-version.ts';
import { defineCheck, ok, problem } from '../check.ts';
import { unservedKinds } from '../unserved-kinds.ts';

export const certManagerGroup = 'cert-manager.io';

/** Checks that cert-manager is there if config/default has something for it. */
export const certManager = defineCheck({
  name: 'cert-manager',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const [first] = unservedKinds(objects, directory).filter(({ group }) => group === certManagerGroup);
    if (first !== undefined) {
      return problem(
        'cluster/kind-not-served',
        `config/default has ${withArticle(first.kind)}, but the cluster has no cert-manager: webhooks would have no certificate`,
        'install cert-manager first: https://cert-manager.io/docs/installation/',
        'or let the operator make its certificates itself: `op-sdk explain project/cert-provider`',
      );
    }
    const wanted = objects.some(({ object }) => groupOf(object.apiVersion) === certManagerGroup);
    return ok(wanted ? 'cert-manager is installed' : 'the project needs no certificates');
  },
});
