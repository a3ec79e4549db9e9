// `op-sdk olm` with the release of OLM v0 on a node: its Deployments run, with an image that stands for its programs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { findOlms } from '../../../src/olm/install/index.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { settledObjects } from '../../sessions/olm/all-objects.ts';
import { releaseFiles } from '../../sessions/olm/manifests.ts';
import { operatorsOfV0 } from '../../sessions/olm/operators-v0.ts';
import type { StandIn } from '../../sessions/olm/stand-in.ts';
import { clusterApi, isReady } from '../bed/cluster-api.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { bedClient, changedBy, expectNothingLeft, runOlm } from './olm-site.ts';
import { pushOlmImage } from './program-image.ts';

const bed = inject('cluster') as ClusterBed;
const files = releaseFiles('v0-crds.yaml', 'v0-olm.yaml');

describe.skipIf(bed === undefined || files === undefined)('OLM v0 on a node', () => {
  let client: KubeClient;
  let operators: StandIn;
  let folder: string;
  let flags: readonly string[];

  beforeAll(async () => {
    client = await bedClient(bed);
    operators = operatorsOfV0(client);
    folder = mkdtempSync(join(tmpdir(), 'op-sdk-olm-'));
    await pushOlmImage(bed, 'operator-framework/olm:stand-in');
    // An image that is named by its digest cannot be replaced in the registry.
    flags = (files ?? []).flatMap((file) => {
      const copy = join(folder, basename(file));
      const text = readFileSync(file, 'utf8');
      writeFileSync(copy, text.replaceAll(/(\/operator-framework\/olm)@sha256:[0-9a-f]+/g, '$1:stand-in'));
      return ['--manifests', copy];
    });
  });
  afterAll(async () => {
    // Where the test has failed.
    if (client !== undefined && (await findOlms(client)).length > 0)
      await olm('uninstall', '--yes', '--force');
    await operators?.[Symbol.asyncDispose]();
    await client?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const olm = (...argv: readonly string[]): Promise<CliRun> =>
    runOlm(bed, [...argv, '--olm', 'v0', ...flags]);

  test('AS9.1: is installed twice, healthy, and removed without a trace', async () => {
    const before = await settledObjects(client);
    const first = await olm('install');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('deployment.apps/olm-operator is rolled out');
    expect(first.stderr).toContain('ClusterServiceVersion olm/packageserver has succeeded');
    expect(await findOlms(client)).toEqual([{ olm: 'v0', version: '0.46.0', namespace: 'olm' }]);
    const pods = await clusterApi(bed).pods('olm');
    expect(pods.map(isReady)).toEqual([true, true]);

    const again = await olm('install', '-o', 'json');
    expect(again.code, again.stdout).toBe(0);
    expect(changedBy(again)).toEqual([]);
    const status = await olm('status');
    expect(status.code, status.stdout + status.stderr).toBe(0);
    expect(status.stdout).toContain('OLM v0 0.46.0 in namespace olm\n');
    expect(status.stdout).not.toMatch(/Missing|Unhealthy/);

    const removed = await olm('uninstall', '--yes');
    expect(removed.code, removed.stderr).toBe(0);
    await expectNothingLeft(client, before);
    expect(await findOlms(client)).toEqual([]);
  });
});
