// Unit tests on an API server in memory, and a JobManager that answers as the test says.
import { join } from 'node:path';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Service } from 'opsdk/k8s/core/v1';
import { createTestApi, type TestApi } from 'opsdk/testing';
import { kubernetesMatchers } from 'opsdk/testing/vitest';
import { expect, it } from 'vitest';
import { FlinkCluster, type FlinkJob } from '../../../src/api/flink/v1beta1/flink-cluster.ts';
import { jobIdOf } from '../../../src/cluster/next-job-step.ts';
import { createFlinkClusterController } from '../../../src/controllers/flink/flink-cluster.ts';
import { httpFlink } from '../../../src/flink/flink-api.ts';
import { cluster, key } from '../../fixtures/cluster.ts';
import { ScriptedFlink } from '../../fixtures/scripted-flink.ts';

expect.extend(kubernetesMatchers);

const crds = [join(import.meta.dirname, '../../../config/crd/bases')];
const wordcount: FlinkJob = { jar: 'wordcount.jar', args: ['--input', 'a'] };

async function started(flink: ScriptedFlink, job?: FlinkJob): Promise<TestApi> {
  const kinds = [FlinkCluster, Service, Deployment];
  const api = await createTestApi({ crds, kinds, objects: [cluster(job)] });
  api.add(createFlinkClusterController({ connect: (_address, signal) => httpFlink(flink.address, signal) }));
  await api.settle();
  return api;
}

async function ready(api: TestApi, component: string, readyReplicas: number): Promise<void> {
  const name = { ...key, name: `${key.name}-${component}` };
  const status = { replicas: readyReplicas, readyReplicas };
  await api.client.patch(Deployment, name, { type: 'merge', body: { status } }, { subresource: 'status' });
  await api.settle();
}

async function up(flink: ScriptedFlink, job?: FlinkJob): Promise<TestApi> {
  const api = await started(flink, job);
  await ready(api, 'jobmanager', 1);
  await ready(api, 'taskmanager', 2);
  await api.advance('5s');
  return api;
}

const now = (api: TestApi) => api.client.get(FlinkCluster, key);

async function idOf(api: TestApi): Promise<string> {
  return jobIdOf(await now(api)) ?? '';
}

it('is ready once its processes are there and their slots have registered', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await started(flink);
  expect(await now(api)).toHaveCondition('Ready', 'False', { reason: 'ProcessesMissing' });
  flink.slots = 2;
  await ready(api, 'jobmanager', 1);
  await ready(api, 'taskmanager', 2);
  expect(await now(api)).toHaveCondition('Ready', 'False', { reason: 'ProcessesMissing' });
  flink.slots = 4;
  await api.advance('2s');
  expect(await now(api)).toHaveCondition('Ready', 'True', { reason: 'SessionReady' });
});

it('counts its TaskManagers also while the JobManager does not answer', async () => {
  const kinds = [FlinkCluster, Service, Deployment];
  await using api = await createTestApi({ crds, kinds, objects: [cluster()] });
  const down = () => Promise.reject(new Error('connection refused'));
  const flink = { slots: down, jobState: down, jars: down, run: down, cancel: down };
  api.add(createFlinkClusterController({ connect: () => flink }));
  await api.settle();
  await expect(ready(api, 'jobmanager', 1)).rejects.toThrow('connection refused');
  await expect(ready(api, 'taskmanager', 2)).rejects.toThrow('connection refused');
  await expect(api.advance('5s')).rejects.toThrow('connection refused');
  expect(await now(api)).toHaveCondition('Ready', 'False', {
    reason: 'ReconcileFailed',
    message: 'connection refused',
  });
  expect((await now(api)).status?.taskManagers).toBe(2);
});

it('submits its job once, and follows it', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await up(flink, wordcount);
  const id = await idOf(api);
  expect(flink.submissions).toEqual([{ jobId: id, programArgsList: ['--input', 'a'], parallelism: 4 }]);
  expect((await now(api)).status).toMatchObject({ jobId: id, jobState: 'RUNNING', taskManagers: 2 });
  flink.jobs.set(id, 'FINISHED');
  await api.advance('10s');
  expect(await now(api)).toHaveCondition('Ready', 'True', { reason: 'JobFinished' });
});

it('does not submit a job twice when the answer was lost', async () => {
  await using flink = await ScriptedFlink.start();
  flink.losesAnswer = true;
  await using api = await up(flink, wordcount);
  expect(flink.submissions).toHaveLength(1);
  expect((await now(api)).status?.jobState).toBe('RUNNING');
});

it('submits the job again to a JobManager that has forgotten it, unless it had ended', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await up(flink, wordcount);
  flink.jobs.clear();
  await api.advance('20s');
  expect(flink.submissions).toHaveLength(2);
  flink.jobs.set(await idOf(api), 'FINISHED');
  await api.advance('20s');
  flink.jobs.clear();
  await ready(api, 'jobmanager', 0);
  await ready(api, 'jobmanager', 1);
  await api.advance('1m');
  expect(flink.submissions).toHaveLength(2);
  expect(await now(api)).toHaveCondition('Ready', 'True', { reason: 'JobFinished' });
});

it('cancels the former job before it submits another one', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await up(flink, wordcount);
  const former = await idOf(api);
  await api.client.mergePatch(FlinkCluster, key, {
    spec: { job: { jar: 'wordcount.jar', args: ['--input', 'b'] } },
  });
  await api.settle();
  await api.advance('5s');
  expect(flink.jobs.get(former)).toBe('CANCELLING');
  expect(flink.submissions).toHaveLength(1);
  expect(await now(api)).toHaveCondition('Ready', 'False', { reason: 'JobEnding' });
  flink.jobs.set(former, 'CANCELED');
  await api.advance('5s');
  expect(flink.submissions.map(({ programArgsList }) => programArgsList)).toEqual([
    ['--input', 'a'],
    ['--input', 'b'],
  ]);
});

it('says that a job has failed, and does not try it again', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await up(flink, wordcount);
  flink.jobs.set(await idOf(api), 'FAILED');
  await api.advance('1m');
  expect(await now(api)).toHaveCondition('Ready', 'False', { reason: 'JobFailed' });
  expect(api.events.map(({ reason }) => reason)).toContain('JobFailed');
  expect(flink.submissions).toHaveLength(1);
});

it('names a jar that the image does not have', async () => {
  await using flink = await ScriptedFlink.start();
  await using api = await started(flink, { jar: 'other.jar' });
  await ready(api, 'jobmanager', 1);
  await expect(ready(api, 'taskmanager', 2)).rejects.toThrow('spec.job.jar');
  expect((await now(api)).status?.conditions?.[0]?.message).toContain('the image has no other.jar');
});
