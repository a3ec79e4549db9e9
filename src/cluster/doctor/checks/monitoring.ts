import { withArticle } from '../../../base/util/article.ts';
import { groupOf } from '../../../base/util/api-version.ts';
import { defineCheck, ok, problem } from '../check.ts';
import { unservedKinds } from '../unserved-kinds.ts';

export const monitoringGroup = 'monitoring.coreos.com';

/** Checks that the Prometheus Operator is there if config/default has something for it. */
export const monitoring = defineCheck({
  name: 'monitoring',
  needs: ['project', 'objects', 'cluster'],
  run({ objects, cluster: { directory } }) {
    const unserved = unservedKinds(objects, directory).filter(({ group }) => group === monitoringGroup);
    const [first] = unserved;
    if (first !== undefined) {
      return problem(
        'cluster/kind-not-served',
        `config/default has ${withArticle(first.kind)}, but the cluster has no Prometheus Operator: a deploy would fail`,
        'install the Prometheus Operator first: https://prometheus-operator.dev/docs/getting-started/installation/',
        'or comment out ../prometheus in config/default/kustomization.yaml',
      );
    }
    if (objects.some(({ object }) => groupOf(object.apiVersion) === monitoringGroup))
      return ok('the Prometheus Operator will find the metrics of the operator');
    if (directory.types.some(({ resource }) => resource.group === monitoringGroup)) {
      return ok(
        'the cluster has the Prometheus Operator, which does not scrape this operator: uncomment [PROMETHEUS] in config/default/kustomization.yaml to change that',
      );
    }
    return ok('the project has no ServiceMonitor');
  },
});
