// Webhooks and conversions through the operator's Service, with the certificate that the operator makes itself and renews while it serves.
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { clusterApi, eventuallyTrue, type ClusterApi } from './bed/cluster-api.ts';
import type { ClusterBed } from './bed/cluster-bed.ts';
import type { OperatorProject } from './bed/operator-project.ts';
import { createTwoVersionsProject } from './bed/two-versions-project.ts';

const bed = inject('cluster') as ClusterBed;
interface Nginx {
  readonly metadata: { readonly uid: string };
  readonly spec: {
    readonly port?: number;
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly replicas?: number;
  };
}

describe.skipIf(bed === undefined)('webhooks of a deployed operator', () => {
  let api: ClusterApi;
  let project: OperatorProject;

  beforeAll(async () => {
    api = clusterApi(bed);
    project = await createTwoVersionsProject(bed, 'self-signed');
    // The shortest of lives, so that a test sees the end of one.
    const main = join(project.folder, 'src/main.ts');
    const before = readFileSync(main, 'utf8');
    const after = before.replace(
      '    ...flags,\n',
      `    ...flags,
    webhooks: {
      ...flags.webhooks,
      selfSigned: flags.webhooks.selfSigned && {
        ...flags.webhooks.selfSigned,
        certificateLifetime: '60s',
        authorityLifetime: '1h',
      },
    },
`,
    );
    expect(after).not.toBe(before);
    writeFileSync(main, after);
    await project.opSdk('deploy', '--image', await project.pushImage('webhooks'), '--timeout', '3m');
  });
  afterAll(async () => {
    await project?.opSdk('undeploy', '--yes');
    project?.[Symbol.dispose]();
  });

  const path = (version: string, name = ''): string =>
    `/apis/operator.example.com/${version}/namespaces/default/nginxoperators${name === '' ? '' : `/${name}`}`;
  const create = (version: string, name: string, spec: object): ReturnType<ClusterApi['request']> =>
    api.request(
      'POST',
      path(version),
      JSON.stringify({
        apiVersion: `operator.example.com/${version}`,
        kind: 'NginxOperator',
        metadata: { name },
        spec,
      }),
    );

  test("fill in defaults, and refuse what is invalid in the API server's own form", async () => {
    expect((await create('v1alpha2', 'defaulted', {})).status).toBe(201);
    expect((await api.call<Nginx>('GET', path('v1alpha2', 'defaulted'))).spec.replicas).toBe(0);
    const { status, body } = await create('v1alpha2', 'refused', { replicas: 7 });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      details: { causes: [{ field: 'spec.replicas', message: 'Invalid value: 7: must be less than 5' }] },
    });
  });

  test('convert an object between its two versions', async () => {
    expect((await create('v1alpha1', 'old', { replicas: 0, port: 8080 })).status).toBe(201);
    const one = await api.call<Nginx>('GET', path('v1alpha1', 'old'));
    const two = await api.call<Nginx>('GET', path('v1alpha2', 'old'));
    expect(one.spec).toEqual({ replicas: 0, port: 8080 });
    expect(two.spec).toEqual({ replicas: 0, ports: [{ containerPort: 8080, protocol: 'TCP' }] });
    expect(two.metadata.uid).toBe(one.metadata.uid);
  });

  test('serve without a break while the certificate is renewed', async () => {
    const certificate = async (): Promise<X509Certificate> => {
      const { data } = await api.call<{ data: Record<string, string> }>(
        'GET',
        `/api/v1/namespaces/${project.namespace}/secrets/webhook-server-cert`,
      );
      return new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
    };
    const first = await certificate();
    let refused = 0;
    const isRefused = async (): Promise<boolean> =>
      (await create('v1alpha2', 'refused', { replicas: 7 })).status === 422;
    await eventuallyTrue('another certificate', async () => {
      expect(await isRefused()).toBe(true);
      refused++;
      return (await certificate()).serialNumber !== first.serialNumber;
    });
    // Until the first one has ended: from then on only another one can be accepted.
    await eventuallyTrue('the end of the first certificate', async () => {
      expect(await isRefused()).toBe(true);
      refused++;
      return Date.parse(first.validTo) < Date.now();
    });
    expect(refused).toBeGreaterThan(1);
    const [pod] = await api.pods(project.namespace, 'control-plane=controller-manager');
    expect(pod?.status.containerStatuses?.[0]?.restartCount).toBe(0);
  });
});
