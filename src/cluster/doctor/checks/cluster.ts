import { isOpSdkError } from '../../../base/errors/index.ts';
import { defineCheck, ok, problemOf, skipped } from '../check.ts';

/** Checks that a cluster is configured and answers. */
export const cluster = defineCheck({
  name: 'cluster',
  needs: [],
  async run(_facts, _world, attempt) {
    const fact = await attempt('cluster');
    if ('value' in fact) {
      const { server, source } = fact.value.client.connection.cluster;
      return ok(`${server.href.replace(/\/$/, '')} answers (${source})`);
    }
    if (!isOpSdkError(fact.error)) throw fact.error;
    const { code, findings } = fact.error;
    if (code !== 'kube/no-cluster') return problemOf(findings);
    const [{ message, fix = [] }] = findings;
    return { ...skipped(message), fix };
  },
});
