// The stories that `npm run example` tells, by the name of the example.
import { flinkOperator, namespaceSync, rbacManager, schedulerOperator } from './stories/cluster-services.mjs';
import { etcdOperator } from './stories/etcd-operator.mjs';
import { prometheusOperator } from './stories/prometheus-operator.mjs';
import { redisOperator } from './stories/redis-operator.mjs';
import { memcachedOperator, nginxOperator, redisEnterprise, twoVersions } from './stories/workloads.mjs';

/**
 * @typedef {object} Software real software of a story
 * @property {string} folder with its programs
 * @property {string} [version]
 */

/**
 * @typedef {object} Story what `npm run example` shows of an example
 * @property {string} shows in a line
 * @property {readonly string[]} [programs] real software that it needs, by name. Default: none
 * @property {readonly string[]} [devFlags] flags of `op-sdk dev`. Default: `--samples`
 * @property {(project: string, software: any) => void} [prepare] edits the project before it starts, as the README tells the reader to; gets
 *   a {@link Software} for each name of `programs`
 * @property {(teller: import('./storyteller.mjs').Storyteller) => Promise<readonly string[] | void>} tell types its commands, and throws if
 *   something is not as it should be; returns texts in the command lines of processes that must be gone in the end
 */

/** The stories by the name of the example. */
export const stories = {
  'etcd-operator': etcdOperator,
  'flink-operator': flinkOperator,
  'memcached-operator': memcachedOperator,
  'namespace-sync': namespaceSync,
  'nginx-operator': nginxOperator,
  'prometheus-operator': prometheusOperator,
  'rbac-manager': rbacManager,
  'redis-enterprise': redisEnterprise,
  'redis-operator': redisOperator,
  'scheduler-operator': schedulerOperator,
  'two-versions': twoVersions,
};
