// What `op-sdk scorecard` refuses on a real API server before it creates anything.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Namespace } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import {
  sharedControlPlane,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { serviceAccountToken, tokenKubeconfig } from '../../../helpers/service-account.ts';
import { configuration, siteFolder } from '../../../unit/olm/bundle/scorecard/site-bundle.ts';
import { clientOf } from '../../cluster/helpers.ts';
import { custom, leftIn, pass, scorecard, stageOf } from './helpers.ts';
import { standInNode } from './stand-in-node.ts';

let plane: SharedControlPlane;
let client: KubeClient;
beforeAll(async () => {
  plane = await sharedControlPlane();
  client = await clientOf(plane);
});
afterAll(() => client.close());

describe('nothing is created before all is checked', () => {
  test('a namespace that does not exist', async () => {
    const run = await scorecard({ namespace: 'no-such-namespace', stages: [stageOf(true, 'a', 'b')] });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr.match(/^error\[.*$/gm)).toEqual([
      'error[cluster/namespace-missing]: the namespace no-such-namespace does not exist',
    ]);
  });

  test('a ServiceAccount that does not exist, by flag and by configuration', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const stages = [stageOf(true, 'a')];
    const byFile = await scorecard({ namespace, stages, more: { serviceaccount: 'nobody' } });
    expect([byFile.code, byFile.stdout]).toEqual([1, '']);
    expect(byFile.stderr).toMatch(
      /error\[bundle\/scorecard-service-account\]: the Pod of the test a: .*nobody/,
    );
    const byFlag = await scorecard({
      namespace,
      stages,
      more: { serviceaccount: 'nobody' },
      flags: ['-s', 'other'],
    });
    expect(byFlag.stderr).toMatch(/other/);
    expect(byFlag.stderr).not.toMatch(/nobody/);
    expect(await leftIn(client, namespace)).toEqual([]);
  });

  test('what the Pod Security Standard refuses; --pod-security restricted passes', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    await client.patch(
      Namespace,
      { name: namespace },
      {
        type: 'merge',
        body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
      },
    );
    const stages = [stageOf(false, 'a')];
    const refused = await scorecard({ namespace, stages });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('error[cluster/denied]: the Pod of the test a: ');
    expect(refused.stderr).toContain('fix: run the tests with --pod-security restricted');
    expect(await leftIn(client, namespace)).toEqual([]);
    await using _node = await standInNode(client, namespace, pass);
    const run = await scorecard({ namespace, stages, flags: ['--pod-security', 'restricted'] });
    expect(run.code).toBe(0);
  });

  test('missing permissions, all of them', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const token = await serviceAccountToken(client, namespace, [
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'op-sdk-scorecard-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, tokenKubeconfig(plane, token));
    const run = await scorecard({
      namespace,
      stages: [stageOf(false, 'a')],
      flags: ['--kubeconfig', kubeconfig],
    });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr.match(/^error\[.*\]/gm)).toEqual(
      Array.from({ length: 5 }, () => 'error[cluster/forbidden]'),
    );
    for (const what of [
      'configmap/',
      'the Pod of the test a',
      'delete pods',
      'get pods/log',
      'delete configmaps',
    ])
      expect(run.stderr).toContain(`: ${what}`);
  });

  test('a bundle that no ConfigMap can hold', async () => {
    const namespace = await uniqueNamespace(plane, 'scorecard');
    const cwd = siteFolder((bundle) => {
      bundle.files['tests/scorecard/config.yaml'] = configuration(custom('a'));
      bundle.files['tests/data.bin'] = randomBytes(1024 * 1024 + 1);
    });
    const run = await runCli(['scorecard', '--kubeconfig', plane.kubeconfig, '-n', namespace], { cwd });
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(
      /^error\[bundle\/scorecard-too-large\]: the files of the bundle have \d+ bytes/,
    );
  });
});
