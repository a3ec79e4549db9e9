// `op-sdk olm` with the release of OLM v1 on a real API server, which asks the webhook of its catalogues for real: the Service leads to
// a server of the test. What OLM's operators and cert-manager do is done by stand-ins.
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CustomResourceDefinition } from '../../../src/sdk/k8s/generated/apiextensions/v1.ts';
import { Deployment } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Namespace } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createClient, loadCluster, type KubeClient } from '../../../src/sdk/kube/index.ts';
import { findOlms } from '../../../src/olm/install/index.ts';
import { EndpointSlice } from '../../../src/sdk/k8s/generated/discovery/v1.ts';
import { ClusterCatalog, ClusterExtension } from '../../../src/olm/run/run-names.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';
import { createCertificateAuthority } from '../../../src/sdk/x509/certificate-authority.ts';
import { runCli, type CliRun } from '../../helpers/run-cli.ts';
import { allObjects, settledObjects } from './all-objects.ts';
import { nameLabel, serveCatalogueWebhook } from './catalogue-webhook.ts';
import { Certificate, certManager, certManagerCrds } from './cert-manager.ts';
import { releaseFiles } from './manifests.ts';
import { cacheFinalizer, olmNamespace as namespace, operatorsOfV1 } from './operators-v1.ts';
import { ensure, runPods, type StandIn } from './stand-in.ts';

const files = releaseFiles('v1-standard.yaml', 'v1-default-catalogs.yaml');
const flags = (files ?? []).flatMap((file) => ['--manifests', file]);
/** Addresses of Pods may not be loopback. */
const address = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
if (address === undefined) console.warn('skipped: this machine has no address but loopback');

const authority = createCertificateAuthority('olmv1-ca');

/** The endpoint of catalogd's Service: the server of the test. */
const endpointsOf = (port: number): object => ({
  metadata: { name: 'catalogd', namespace, labels: { 'kubernetes.io/service-name': 'catalogd-service' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true } }],
  ports: [{ name: 'webhook', port, protocol: 'TCP' }],
});

describe.skipIf(files === undefined || address === undefined)('OLM v1', () => {
  let plane: ControlPlane;
  let client: KubeClient;
  let webhook: Awaited<ReturnType<typeof serveCatalogueWebhook>>;
  beforeAll(async () => {
    // With the flag webhooks of Services are asked at the addresses of their Pods, as no node forwards them here.
    plane = await startControlPlane({
      controllerManager: true,
      apiServerFlags: ['--enable-aggregator-routing=true'],
    });
    const cluster = await loadCluster({ kubeconfig: plane.kubeconfig, env: {} });
    client = createClient({ cluster, fieldManager: 'stand-in', onWarning: () => undefined });
    const pair = authority.issue({
      commonName: 'catalogd-service',
      usage: 'server',
      dnsNames: [`catalogd-service.${namespace}.svc`],
    });
    webhook = await serveCatalogueWebhook({ ...pair, ...(address === undefined ? {} : { host: address }) });
  });
  afterAll(async () => {
    await client.close();
    await webhook[Symbol.asyncDispose]();
    await plane.stop();
  });
  const olm = (...argv: readonly string[]): Promise<CliRun> =>
    runCli(['olm', ...argv, '--olm', 'v1', ...flags, '--kubeconfig', plane.kubeconfig]);
  const playOlm = (): StandIn =>
    operatorsOfV1(client, async (runs) => {
      await runPods(client, namespace);
      // Without nodes nobody makes endpoints of Pods.
      if (runs) await ensure(client, EndpointSlice, endpointsOf(webhook.port));
    });

  test('is refused without cert-manager, before anything is applied', async () => {
    const before = await settledObjects(client);
    const { code, stdout, stderr } = await olm('install');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'error[olm/cert-manager-missing]: OLM v1 needs cert-manager, whose kinds the cluster does not know: Certificate, ClusterIssuer, Issuer',
    );
    expect(await allObjects(client)).toEqual(before);
  });

  test('is installed twice, watched and removed, and leaves nothing behind', async () => {
    for (const crd of certManagerCrds()) await ensure(client, CustomResourceDefinition, crd);
    await ensure(client, Namespace, { metadata: { name: 'cert-manager' } });
    await eventually(async () => (await client.list(Certificate)).items.length === 0, { timeout: 60_000 });
    const before = await settledObjects(client);

    await using _operators = playOlm();
    // On a busy machine this may take another run: an earlier step may need the time.
    await eventually(
      async () => {
        const late = await olm('install', '--timeout', '20s');
        // Nobody has made the certificate of the webhook.
        expect(late.code).toBe(1);
        expect(late.stderr).toContain('waiting for the webhook of the catalogues: ');
        expect(late.stderr).toContain(
          'error[cluster/webhook-failed]: clustercatalog.olm.operatorframework.io/operatorhubio',
        );
        expect(late.stderr).toContain('the webhook of the catalogues does not answer after 20s');
      },
      { timeout: 120_000 },
    );

    await using _certManager = certManager(client, authority);
    const first = await olm('install');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain('clustercatalog.olm.operatorframework.io/operatorhubio created\n');
    const catalogue = await client.get(ClusterCatalog, { name: 'operatorhubio' });
    expect(catalogue.metadata.labels).toEqual({ [nameLabel]: 'operatorhubio' });
    expect(await findOlms(client)).toEqual([{ olm: 'v1', version: '1.11.0', namespace }]);

    const again = await olm('install', '-o', 'json');
    expect(again.code, again.stdout).toBe(0);
    const { result } = JSON.parse(again.stdout) as { result: { objects: readonly { action: string }[] } };
    expect(new Set(result.objects.map(({ action }) => action))).toEqual(new Set(['unchanged']));
    await eventually(async () => expect((await olm('status')).stdout).toMatch(/operatorhubio +served/), {
      timeout: 60_000,
    });
    expect((await olm('status')).code).toBe(0);

    await ensure(client, ClusterExtension, {
      metadata: { name: 'web' },
      spec: {
        namespace: 'default',
        source: { sourceType: 'Catalog', catalog: { packageName: 'web' } },
      },
    });
    const used = await olm('uninstall', '--yes');
    expect([used.code, used.stdout]).toEqual([1, '']);
    expect(used.stderr).toContain('OLM v1 is in use: the cluster has 1 ClusterExtension (web)');
    await client.delete(ClusterExtension, { name: 'web' });
    await eventually(async () => (await client.find(ClusterExtension, { name: 'web' })) === undefined, {
      timeout: 60_000,
    });

    const removed = await olm('uninstall', '--yes');
    expect(removed.code, removed.stderr).toBe(0);
    const order = [
      'clustercatalog.olm.operatorframework.io/operatorhubio',
      'mutatingwebhookconfiguration.admissionregistration.k8s.io/catalogd-mutating-webhook-configuration',
      'service/catalogd-service',
      'namespace/olmv1-system',
      'secret/olmv1-ca',
    ].map((title) => removed.stdout.indexOf(`${title} deleted\n`));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    await eventually(async () => expect(await allObjects(client)).toEqual(before), { timeout: 60_000 });
  });

  test('is removed by force though catalogd does not run', async () => {
    const before = await settledObjects(client);
    {
      await using _operators = playOlm();
      await using _certManager = certManager(client, authority);
      const installed = await olm('install');
      expect(installed.code, installed.stderr).toBe(0);
      await eventually(
        async () =>
          (await client.get(ClusterCatalog, { name: 'operatorhubio' })).metadata.finalizers !== undefined,
        { timeout: 60_000 },
      );
    }
    await client.delete(Deployment, { name: 'catalogd-controller-manager', namespace });
    const stuck = await olm('uninstall', '--yes', '--timeout', '2s');
    expect(stuck.code).toBe(1);
    expect(stuck.stderr).toContain(`it has the finalizers ${cacheFinalizer}`);
    const forced = await olm('uninstall', '--yes', '--force');
    expect(forced.code, forced.stderr).toBe(0);
    await eventually(async () => expect(await allObjects(client)).toEqual(before), { timeout: 60_000 });
  });
});
