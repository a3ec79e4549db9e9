import { agree, type AnyStep, type Case } from '../case.ts';
import {
  commonCases,
  container,
  labels,
  requestsOf,
  template,
  type Fields,
  type KindUnderTest,
} from './requests.ts';

const jobTemplate = template({ restartPolicy: 'Never' });
const job: KindUnderTest = {
  path: '/apis/batch/v1/namespaces/$NS/jobs',
  apiVersion: 'batch/v1',
  kind: 'Job',
  valid: { spec: { template: jobTemplate } },
};
const cron: KindUnderTest = {
  path: '/apis/batch/v1/namespaces/$NS/cronjobs',
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  valid: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
};
const jobs = requestsOf(job);
const crons = requestsOf(cron);
const say = (name: string, ...steps: readonly AnyStep[]): Case => agree(`Job: ${name}`, ...steps);
const withSpec = (name: string, change: Fields): Case => say(name, jobs.create(jobs.spec(change)));
const cronSay = (name: string, ...steps: readonly AnyStep[]): Case => agree(`CronJob: ${name}`, ...steps);
const cronWith = (name: string, change: Fields): Case => cronSay(name, crons.create(crons.spec(change)));
const schedule = (text: string): Case => cronWith(`the schedule ${text}`, { schedule: text });
const inTemplate = (spec: Fields): Fields => ({ jobTemplate: { spec: { template: jobTemplate, ...spec } } });

export const jobKinds: Readonly<Record<string, readonly Case[]>> = {
  Job: [
    ...commonCases(job),
    withSpec('Always', { template: template() }),
    withSpec('Sometimes', { template: template({ restartPolicy: 'Sometimes' }) }),
    withSpec('OnFailure', { template: template({ restartPolicy: 'OnFailure' }) }),
    withSpec('no labels', { template: { spec: { containers: [container], restartPolicy: 'Never' } } }),
    withSpec('negative numbers', {
      parallelism: -1,
      completions: -1,
      backoffLimit: -1,
      activeDeadlineSeconds: -1,
      ttlSecondsAfterFinished: -1,
    }),
    withSpec('parallelism', { parallelism: 3 }),
    withSpec('completions', { completions: 3 }),
    withSpec('Indexed', { completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 }),
    withSpec('Indexed without completions', { completionMode: 'Indexed', parallelism: 1 }),
    withSpec('an unknown mode', { completionMode: 'Any' }),
    withSpec('a limit of an index', { backoffLimitPerIndex: 1, maxFailedIndexes: 2 }),
    withSpec('failed indexes alone', { maxFailedIndexes: 2, completionMode: 'Indexed', completions: 3 }),
    withSpec('suspended', { suspend: true }),
    withSpec('a manual selector', { manualSelector: true, selector: { matchLabels: labels } }),
    withSpec('a manual selector of others', {
      manualSelector: true,
      selector: { matchLabels: { app: 'y' } },
    }),
    withSpec('a manual selector that is missing', { manualSelector: true }),
    withSpec('a selector that is not manual', { selector: { matchLabels: labels } }),
    withSpec('a label that the server sets', {
      template: { ...jobTemplate, metadata: { labels: { 'job-name': 'z' } } },
    }),
    withSpec('a replacement', { podReplacementPolicy: 'Failed' }),
    withSpec('an unknown replacement', { podReplacementPolicy: 'Any' }),
    withSpec('an invalid container', { template: template({ restartPolicy: 'Never' }, { name: 'A' }) }),
    withSpec('an old name', { ttlSecondsAfterFinished: 0 }),
    say(
      'another template',
      jobs.create(),
      jobs.merge({ spec: { template: { spec: { containers: [{ ...container, image: 'x:2' }] } } } }),
    ),
    say('another parallelism', jobs.create(), jobs.merge({ spec: { parallelism: 4 } })),
    say('other completions', jobs.create(), jobs.merge({ spec: { completions: 4 } })),
    say('another mode', jobs.create(), jobs.merge({ spec: { completionMode: 'Indexed' } })),
    say('another selector', jobs.create(), jobs.merge({ spec: { selector: { matchLabels: { b: 'c' } } } })),
    say('another backoffLimit', jobs.create(), jobs.merge({ spec: { backoffLimit: 1 } })),
    say('started', jobs.create(jobs.spec({ suspend: true })), jobs.merge({ spec: { suspend: false } })),
    say(
      'another node while suspended',
      jobs.create(jobs.spec({ suspend: true })),
      jobs.merge({ spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }),
    ),
    say(
      'indexes scaled',
      jobs.create(jobs.spec({ completionMode: 'Indexed', completions: 2, parallelism: 2 })),
      jobs.merge({ spec: { completions: 3, parallelism: 3 } }),
      jobs.merge({ spec: { completions: 4 } }),
    ),
    say('a status', jobs.create(), jobs.status({ active: 1, startTime: '2026-01-01T00:00:00Z' })),
    say('deleted with a warning', jobs.create(), jobs.remove()),
    say('orphaned', jobs.create(), jobs.remove({ propagationPolicy: 'Orphan' })),
    say('a scale', jobs.create(), jobs.below(jobs.get, 'scale')),
  ],
  CronJob: [
    ...commonCases(cron),
    ...[
      '*/5 * * * *',
      '@hourly',
      '@every 1h',
      '0 0 1 jan mon',
      '1-5,7 0-12/2 * * *',
      'a * * * *',
      '* * *',
      '60 * * * *',
      '* * 0 * *',
      '5-3 * * * *',
      '@often',
      '*/0 * * * *',
      '1-2-3 * * * *',
      '1/2/3 * * * *',
      'TZ=UTC * * * * *',
      '',
    ].map(schedule),
    cronWith('an unknown concurrency', { concurrencyPolicy: 'Any' }),
    cronWith('Forbid', { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 10, suspend: true }),
    cronWith('negative numbers', {
      startingDeadlineSeconds: -1,
      successfulJobsHistoryLimit: -1,
      failedJobsHistoryLimit: -1,
    }),
    cronWith('a zone', { timeZone: 'Europe/Berlin' }),
    cronWith('an unknown zone', { timeZone: 'Moon/Sea' }),
    cronWith('an empty zone', { timeZone: '' }),
    cronWith('a selector', inTemplate({ selector: { matchLabels: labels } })),
    cronWith('a manual selector', inTemplate({ manualSelector: true })),
    cronWith('Always', inTemplate({ template: template() })),
    cronWith('Job fields', inTemplate({ backoffLimit: 2, completions: -1, parallelism: 2 })),
    cronSay('a long name', crons.create(crons.object({}, { name: 'a'.repeat(53) }))),
    cronSay('another schedule', crons.create(), crons.merge({ spec: { schedule: '0 0 * * *' } })),
    cronSay('an invalid schedule later', crons.create(), crons.merge({ spec: { schedule: 'x' } })),
    cronSay(
      'another image',
      crons.create(),
      crons.merge({
        spec: {
          jobTemplate: { spec: { template: { spec: { containers: [{ ...container, image: 'x:2' }] } } } },
        },
      }),
    ),
    cronSay('a status', crons.create(), crons.status({ lastScheduleTime: '2026-01-01T00:00:00Z' })),
  ],
};
