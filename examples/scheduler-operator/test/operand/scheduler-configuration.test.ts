import { expect, it } from 'vitest';
import { schedulerConfiguration } from '../../src/operand/scheduler-configuration.ts';

it('spreads Pods by default, as the scheduler does without settings', () => {
  expect(schedulerConfiguration({}, 'scheduling')).toEqual({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: true, resourceNamespace: 'scheduling', resourceName: 'cluster-scheduler' },
    profiles: [{ schedulerName: 'cluster-scheduler' }],
  });
});

it('packs Pods with HighNodeUtilization', () => {
  const [profile] = schedulerConfiguration({ profile: 'HighNodeUtilization' }, 'scheduling').profiles;
  expect(profile).toMatchObject({
    plugins: { score: { disabled: [{ name: 'NodeResourcesBalancedAllocation' }] } },
    pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }],
  });
});

it('does not compare nodes with NoScoring', () => {
  const [profile] = schedulerConfiguration({ profile: 'NoScoring' }, 'scheduling').profiles;
  expect(profile).toMatchObject({ plugins: { score: { disabled: [{ name: '*' }] } } });
});

it('takes the name of the scheduler for its lease, so that two schedulers have two', () => {
  const configuration = schedulerConfiguration({ schedulerName: 'batch', percentageOfNodesToScore: 10 }, 'a');
  expect(configuration).toMatchObject({
    leaderElection: { resourceName: 'batch' },
    percentageOfNodesToScore: 10,
    profiles: [{ schedulerName: 'batch' }],
  });
});
