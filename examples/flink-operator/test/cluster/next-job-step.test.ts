import { expect, it } from 'vitest';
import { jobIdOf, nextJobStep, type ObservedJobs } from '../../src/cluster/next-job-step.ts';
import { cluster } from '../fixtures/cluster.ts';

function step(observed: Partial<ObservedJobs>): string {
  const next = nextJobStep({ wanted: undefined, last: undefined, states: {}, ...observed });
  return next.type === 'None' ? 'None' : `${next.type} ${next.jobId}`;
}

it.each<[string, string, Partial<ObservedJobs>]>([
  ['has nothing to do in a session cluster', 'None', {}],
  ['submits a job', 'Submit a', { wanted: 'a' }],
  [
    'does not submit again what the JobManager has',
    'Watch a',
    { wanted: 'a', states: { a: 'INITIALIZING' } },
  ],
  [
    'watches a job',
    'Watch a',
    { wanted: 'a', last: { jobId: 'a', state: 'RUNNING' }, states: { a: 'RUNNING' } },
  ],
  [
    'submits again what a new JobManager does not know',
    'Submit a',
    { wanted: 'a', last: { jobId: 'a', state: 'RUNNING' } },
  ],
  [
    'does not run a second time what had finished',
    'Ended a',
    { wanted: 'a', last: { jobId: 'a', state: 'FINISHED' } },
  ],
  [
    'does not run a second time what had failed',
    'Ended a',
    { wanted: 'a', last: { jobId: 'a', state: 'FAILED' } },
  ],
  [
    'cancels the former job first',
    'Cancel a',
    { wanted: 'b', last: { jobId: 'a', state: 'RUNNING' }, states: { a: 'RUNNING' } },
  ],
  [
    'waits for the end of the former job',
    'WaitForEnd a',
    { wanted: 'b', last: { jobId: 'a', state: 'RUNNING' }, states: { a: 'CANCELLING' } },
  ],
  [
    'submits when the former job has ended',
    'Submit b',
    { wanted: 'b', last: { jobId: 'a', state: 'CANCELLING' }, states: { a: 'CANCELED' } },
  ],
  [
    'submits when the former job is unknown',
    'Submit b',
    { wanted: 'b', last: { jobId: 'a', state: 'RUNNING' } },
  ],
  [
    'cancels a job that is no longer asked for',
    'Cancel a',
    { last: { jobId: 'a', state: 'RUNNING' }, states: { a: 'RESTARTING' } },
  ],
])('%s', (_title, expected, observed) => {
  expect(step(observed)).toBe(expected);
});

it('gives a job an id of Flink, which another job does not have', () => {
  const ids = [
    jobIdOf(cluster({ jar: 'a.jar' })),
    jobIdOf(cluster({ jar: 'b.jar' })),
    jobIdOf(cluster({ jar: 'a.jar', args: ['--fast'] })),
  ];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(jobIdOf(cluster({ jar: 'a.jar' }))).toBe(ids[0]);
  expect(jobIdOf(cluster())).toBeUndefined();
});
