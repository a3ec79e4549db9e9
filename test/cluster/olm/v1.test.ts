// `op-sdk olm` with the release of OLM v1 on a node: its Deployments run, with an image that stands for its programs, and catalogues are
// labelled by a webhook in a Pod behind the Service of the release. cert-manager is a stand-in, too.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Namespace } from '../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../src/sdk/kube/index.ts';
import { findOlms } from '../../../src/olm/install/index.ts';
import { ClusterCatalog } from '../../../src/olm/run/run-names.ts';
import { eventually } from '../../../src/testing/index.ts';
import { createCertificateAuthority } from '../../../src/sdk/x509/certificate-authority.ts';
import type { CliRun } from '../../helpers/run-cli.ts';
import { allObjects, settledObjects } from '../../sessions/olm/all-objects.ts';
import { nameLabel } from '../../sessions/olm/catalogue-webhook.ts';
import { Certificate, certManager, certManagerCrds } from '../../sessions/olm/cert-manager.ts';
import { releaseFiles } from '../../sessions/olm/manifests.ts';
import { olmNamespace, operatorsOfV1 } from '../../sessions/olm/operators-v1.ts';
import { ensure, type StandIn } from '../../sessions/olm/stand-in.ts';
import { clusterApi, isReady } from '../bed/cluster-api.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { bedClient, changedBy, expectNothingLeft, runOlm } from './olm-site.ts';
import { pushOlmImage } from './program-image.ts';

const bed = inject('cluster') as ClusterBed;
const files = releaseFiles('v1-standard.yaml', 'v1-default-catalogs.yaml');
const slow = { timeout: 150_000, interval: 500 };

describe.skipIf(bed === undefined || files === undefined)('OLM v1 on a node', () => {
  let client: KubeClient;
  const standIns: StandIn[] = [];

  beforeAll(async () => {
    client = await bedClient(bed);
    standIns.push(operatorsOfV1(client));
    for (const image of imagesOf(files ?? [])) await pushOlmImage(bed, image);
    await ensure(client, Namespace, { metadata: { name: 'cert-manager' } });
  });
  afterAll(async () => {
    // Where the test has failed.
    if (client !== undefined && (await findOlms(client)).length > 0)
      await olm('uninstall', '--yes', '--force');
    for (const { metadata } of certManagerCrds())
      await client?.delete(CustomResourceDefinition, { name: metadata.name }).catch(() => undefined);
    await client?.delete(Namespace, { name: 'cert-manager' });
    for (const each of standIns) await each[Symbol.asyncDispose]();
    await client?.close();
  });
  const olm = (...argv: readonly string[]): Promise<CliRun> =>
    runOlm(bed, [...argv, '--olm', 'v1', ...(files ?? []).flatMap((file) => ['--manifests', file])]);

  test('is refused without cert-manager, before anything is applied', async () => {
    const before = await settledObjects(client);
    const { code, stdout, stderr } = await olm('install');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error[olm/cert-manager-missing]');
    expect((await allObjects(client)).filter((object) => !before.includes(object))).toEqual([]);
  });

  test('is installed twice, healthy, and removed without a trace', async () => {
    for (const crd of certManagerCrds()) await ensure(client, CustomResourceDefinition, crd);
    await eventually(async () => (await client.list(Certificate)).items.length === 0, slow);
    const before = await settledObjects(client);
    standIns.push(certManager(client, createCertificateAuthority('olmv1-ca')));

    const first = await olm('install');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stderr).toContain('deployment.apps/catalogd-controller-manager is rolled out');
    expect(first.stdout).toContain('clustercatalog.olm.operatorframework.io/operatorhubio created\n');
    const catalogue = await client.get(ClusterCatalog, { name: 'operatorhubio' });
    expect(catalogue.metadata.labels).toEqual({ [nameLabel]: 'operatorhubio' });
    expect(await findOlms(client)).toEqual([{ olm: 'v1', version: '1.11.0', namespace: olmNamespace }]);
    const pods = await clusterApi(bed).pods(olmNamespace);
    expect(pods.map(isReady)).toEqual([true, true]);

    const again = await olm('install', '-o', 'json');
    expect(again.code, again.stdout).toBe(0);
    expect(changedBy(again)).toEqual([]);
    const status = await olm('status');
    expect(status.code, status.stdout + status.stderr).toBe(0);
    expect(status.stdout).toContain(`OLM v1 1.11.0 in namespace ${olmNamespace}\n`);
    expect(status.stdout).not.toMatch(/Missing|Unhealthy/);

    const removed = await olm('uninstall', '--yes');
    expect(removed.code, removed.stderr).toBe(0);
    await expectNothingLeft(client, before);
    expect(await findOlms(client)).toEqual([]);
  });
});

/** The repositories and tags of the images of Deployments. */
function imagesOf(manifests: readonly string[]): readonly string[] {
  return manifests.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ +image: "?[^/\s]+\/([^"\s]+:v[\d.]+)"?$/gm)].map(
      ([, image]) => image ?? '',
    ),
  );
}
