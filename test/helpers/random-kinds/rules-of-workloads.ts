import {
  isObject,
  listOf as items,
  objectOf,
  type Json,
  type JsonObject,
} from '../../../src/kubernetes/objects/index.ts';
import type { Random } from '../random.ts';
import type { TypeRule } from './generate.ts';
import { listOf, one, text } from './values.ts';

const selector = (): Json => ({ matchLabels: { app: 'x' } });
const workload: TypeRule = { density: 0.4, fields: { selector }, tidy: selected };

/** Workloads, and kinds about them: budgets and scalers. */
export const workloadRules: Readonly<Record<string, TypeRule>> = {
  DeploymentSpec: {
    ...workload,
    fields: { selector, progressDeadlineSeconds: one(100, 600), minReadySeconds: one(0, 5) },
  },
  DeploymentStrategy: {
    density: 0.6,
    tidy: (strategy) => {
      if (strategy['type'] === 'Recreate') delete strategy['rollingUpdate'];
    },
  },
  RollingUpdateDeployment: {
    density: 0.6,
    fields: { maxSurge: one(1, '25%'), maxUnavailable: one(0, 2, '50%') },
  },
  // A ReplicaSet needs a template, although its schema does not.
  ReplicaSetSpec: { ...workload, always: ['template'] },
  StatefulSetSpec: {
    ...workload,
    always: ['serviceName'],
    // The server checks the volumes of several claims in any order.
    steady: ['volumeClaimTemplates'],
    tidy: (spec) => {
      selected(spec);
      const [claim] = items(spec['volumeClaimTemplates']).map(objectOf);
      if (claim !== undefined) spec['volumeClaimTemplates'] = [{ ...claim, metadata: { name: 'v9' } }];
    },
  },
  StatefulSetUpdateStrategy: {
    density: 0.6,
    fields: { type: one('RollingUpdate', 'OnDelete') },
    tidy: (strategy) => {
      if (strategy['type'] !== 'RollingUpdate') delete strategy['rollingUpdate'];
    },
  },
  RollingUpdateStatefulSetStrategy: { density: 0.6 },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    density: 0.6,
    fields: { whenDeleted: one('Delete', 'Retain'), whenScaled: one('Delete', 'Retain') },
  },
  // The claims of a StatefulSet, and claims themselves.
  PersistentVolumeClaim: { always: ['spec'] },
  DaemonSetSpec: workload,
  RollingUpdateDaemonSet: {
    density: 0.5,
    fields: { maxSurge: one(0, 1, '25%'), maxUnavailable: one(0, 2, '50%') },
    tidy: (update) => {
      if (update['maxSurge'] === undefined || update['maxSurge'] === 0) delete update['maxSurge'];
      else update['maxUnavailable'] = 0;
      if (update['maxSurge'] === undefined && update['maxUnavailable'] === 0) delete update['maxUnavailable'];
    },
  },
  PodTemplateSpec: { always: ['spec'] },
  JobTemplateSpec: { always: ['spec'] },
  CronJobSpec: {
    fields: {
      schedule: one('* * * * *', '@daily', '*/5 1-3 * * mon'),
      timeZone: one('Europe/Berlin', 'UTC'),
      concurrencyPolicy: one('Allow', 'Forbid', 'Replace'),
    },
    tidy: ({ jobTemplate }) => {
      const spec = objectOf(objectOf(jobTemplate)['spec']);
      delete spec['selector'];
      delete spec['manualSelector'];
    },
  },
  JobSpec: {
    without: ['scheduling'],
    fields: {
      completionMode: one('NonIndexed', 'Indexed'),
      managedBy: one('example.com/x', 'kubernetes.io/job-controller'),
      podReplacementPolicy: one('Failed', 'TerminatingOrFailed'),
    },
    tidy: tidyJob,
  },
  PodFailurePolicy: { fields: { rules: listOf(failureRule) } },
  SuccessPolicyRule: {
    oneOf: [['succeededCount', 'succeededIndexes']],
    fields: { succeededIndexes: one('0', '0-1', '0,1'), succeededCount: one(1) },
  },
  PodDisruptionBudgetSpec: { oneOf: [['minAvailable', 'maxUnavailable']], density: 0.6 },
  HorizontalPodAutoscalerSpec: {
    density: 0.5,
    fields: { maxReplicas: one(5, 10), minReplicas: one(1, 2) },
  },
  CrossVersionObjectReference: {
    always: ['apiVersion'],
    fields: {
      apiVersion: one('apps/v1', 'example.com/v1'),
      kind: one('Deployment', 'Pod'),
      name: one('a', 'b.c'),
    },
  },
  MetricSpec: {
    oneOf: [['resource', 'containerResource', 'pods', 'object', 'external']],
    tidy: (metric) => {
      const [source = ''] = Object.keys(metric).filter((name) => name !== 'type');
      metric['type'] = source.charAt(0).toUpperCase() + source.slice(1);
    },
  },
  ResourceMetricSource: { fields: { name: one('cpu', 'memory'), target: resourceTarget } },
  ContainerResourceMetricSource: { fields: { name: one('cpu', 'memory'), target: resourceTarget } },
  PodsMetricSource: { fields: { target: one({ type: 'AverageValue', averageValue: '5' }) } },
  ObjectMetricSource: {
    fields: { target: one({ type: 'Value', value: '5' }, { type: 'AverageValue', averageValue: '100m' }) },
  },
  ExternalMetricSource: {
    fields: { target: one({ type: 'Value', value: '5' }, { type: 'AverageValue', averageValue: '100m' }) },
  },
  MetricIdentifier: { fields: { name: one('requests', 'a-b') } },
  HPAScalingRules: {
    density: 0.5,
    fields: {
      selectPolicy: one('Max', 'Min', 'Disabled'),
      stabilizationWindowSeconds: one(0, 300, 3600),
      policies: listOf(
        one({ type: 'Pods', value: 4, periodSeconds: 60 }, { type: 'Percent', value: 10, periodSeconds: 15 }),
      ),
    },
  },
};

function resourceTarget(random: Random): Json {
  return random.pick<Json>([
    { type: 'Utilization', averageUtilization: 50 },
    { type: 'AverageValue', averageValue: '100m' },
  ]);
}

function selected(spec: JsonObject): void {
  const template = objectOf(spec['template']);
  const metadata = objectOf(template['metadata']);
  template['metadata'] = { ...metadata, labels: { ...objectOf(metadata['labels']), app: 'x' } };
  const { spec: pod } = template;
  if (!isObject(pod)) return;
  delete pod['restartPolicy'];
  delete pod['activeDeadlineSeconds'];
}

function failureRule(random: Random): Json {
  const action = random.pick(['FailJob', 'Ignore', 'Count']);
  return random.chance(0.5)
    ? { action, onExitCodes: { operator: random.pick(['In', 'NotIn']), values: [1, 42] } }
    : {
        action,
        onPodConditions: [{ type: random.pick(['DisruptionTarget', 'Ready', text(random)]), status: 'True' }],
      };
}

function tidyJob(spec: JsonObject, random: Random): void {
  // The server generates the selector.
  delete spec['selector'];
  delete spec['manualSelector'];
  const pod = objectOf(objectOf(spec['template'])['spec']);
  pod['restartPolicy'] = random.pick(['Never', 'Never', 'OnFailure']);
  const isIndexed = spec['completionMode'] === 'Indexed';
  if (isIndexed) spec['completions'] ??= 3;
  else for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy']) delete spec[name];
  if (spec['backoffLimitPerIndex'] === undefined) delete spec['maxFailedIndexes'];
  if (spec['maxFailedIndexes'] !== undefined) spec['maxFailedIndexes'] = 1;
  if (isIndexed) spec['completions'] = Math.max(2, Number(spec['completions']));
  if (spec['backoffLimitPerIndex'] !== undefined || spec['podFailurePolicy'] !== undefined)
    pod['restartPolicy'] = 'Never';
  if (spec['podFailurePolicy'] !== undefined) delete spec['podReplacementPolicy'];
  for (const rule of items(objectOf(spec['successPolicy'])['rules'])) delete objectOf(rule)['bogus'];
}
