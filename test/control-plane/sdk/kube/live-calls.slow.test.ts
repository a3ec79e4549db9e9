// The role that is inferred for a call of `client.live` is what the API server asks for: with it the call is not denied, the audit log shows
// nothing of it unused, and without any verb of it the call is denied.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpSdkError } from '../../../../src/base/errors/index.ts';
import { judgeAudit } from '../../../../src/cluster/audit/judge-audit.ts';
import { grantsOf, type Permission } from '../../../../src/compiler/manifests/permissions/grant.ts';
import { methodVerbs } from '../../../../src/compiler/manifests/rbac/method-verbs.ts';
import { normalizeRules } from '../../../../src/compiler/manifests/rbac/role-document.ts';
import { createClient, loadCluster, type KubeClient } from '../../../../src/sdk/kube/index.ts';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { ConfigMap, Pod } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { ClusterRole, ClusterRoleBinding } from '../../../../src/sdk/k8s/generated/rbac/v1.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../../src/testing/index.ts';
import { inferFiles } from '../../../golden/rbac-shapes/infer-shapes.ts';
import { key, liveCalls, port } from './live-calls.ts';

type Grant = Extract<Permission, { type: 'resource' }>;

const server = `
  import { createServer } from 'node:net';
  createServer((socket) => socket.on('error', () => undefined)).listen(${port}, process.argv[1], () => console.log('ready'));
`;

const grants = inferGrants();

/** Returns the permissions that inference finds for each call, by its name. */
function inferGrants(): ReadonlyMap<string, readonly Grant[]> {
  const text = readFileSync(new URL('live-calls.ts', import.meta.url), 'utf8');
  const inferred = inferFiles({ 'src/live-calls.ts': text });
  try {
    expect(inferred.of('src/live-calls.ts').errors).toEqual([]);
    return new Map(
      Object.keys(liveCalls).map((name) => [
        name,
        grantsOf(normalizeRules(inferred.rules.filter(({ by }) => by === name))) as readonly Grant[],
      ]),
    );
  } finally {
    inferred.remove();
  }
}

test('each method of the client is called', () => {
  const { subresource: _, request, ...methods } = methodVerbs.LiveClient;
  expect(Object.keys(liveCalls).sort()).toEqual(
    [
      ...Object.keys({ ...methods, ...methodVerbs.LiveReader, request }),
      ...Object.keys(methodVerbs.SubresourceClient).map((method) => `subresource.${method}`),
    ].sort(),
  );
});

describe.skipIf(process.platform !== 'linux')('rights of live calls', () => {
  let plane: ControlPlane;
  let admin: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({
      audit: { omitStages: ['RequestReceived'], rules: [{ level: 'Metadata' }] },
      nodes: {
        runProcesses: {
          server: ({ address }) => ({
            file: process.execPath,
            args: ['--input-type=module', '-e', server, '--', address],
          }),
        },
      },
    });
    admin = createClient({
      cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
      fieldManager: 'test',
    });
    const containers = [{ name: 'main', image: 'server' }];
    const labels = { app: key.name };
    const template = { metadata: { labels }, spec: { containers } };
    await admin.create(Deployment, {
      metadata: key,
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    });
    for (const name of ['one', 'two'])
      await admin.create(ConfigMap, { metadata: { name, namespace: 'default' } });
    await admin.create(Pod, { metadata: key, spec: { containers } });
    await eventually(async () => {
      const lines: string[] = [];
      for await (const line of admin.logs(key)) lines.push(line);
      expect(lines).toContain('ready');
    });
  });
  afterAll(async () => {
    await admin?.close();
    await plane?.stop();
  });

  /** Makes a call as a user who is granted nothing else, and returns the error of the call. */
  async function callAs(user: string, name: string, granted: readonly Grant[]): Promise<unknown> {
    await admin.create(ClusterRole, {
      metadata: { name: user },
      rules: granted.map(({ group, resource, verb }) => ({
        apiGroups: [group],
        resources: [resource],
        verbs: [verb],
      })),
    });
    await admin.create(ClusterRoleBinding, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
    });
    for (const grant of granted) await eventually(async () => expect(await allows(user, grant)).toBe(true));
    const { path } = await plane.userKubeconfig(user);
    const client = createClient({ cluster: await loadCluster({ kubeconfig: path }), fieldManager: 'test' });
    try {
      return await liveCalls[name]?.(client).then(
        () => undefined,
        (error: unknown) => error,
      );
    } finally {
      await client.close();
    }
  }

  async function allows(user: string, { group, resource, verb }: Grant): Promise<boolean> {
    const [plural, subresource] = resource.split('/');
    const answer = await admin.raw.request({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user,
          resourceAttributes: { namespace: 'default', verb, group, resource: plural, subresource },
        },
      },
    });
    return answer.json<{ status: { allowed: boolean } }>().status.allowed;
  }

  test.each([...grants])('%s needs all of its role, and nothing else', async (name, granted) => {
    expect(granted).not.toEqual([]);
    const user = `call-${name.toLowerCase()}`;
    expect(await callAs(user, name, granted)).toBeUndefined();
    // Events of connections are written when they have ended.
    await eventually(async () =>
      expect(judgeAudit(await plane.readAuditEvents(), user, granted)).toMatchObject({
        forbidden: [],
        unused: [],
      }),
    );
    for (const missing of granted) {
      const limited = `${user}-without-${missing.verb}`;
      const error = await callAs(
        limited,
        name,
        granted.filter((grant) => grant !== missing),
      );
      expect(error).toMatchObject({ code: 'kube/forbidden' });
      const [fix = ''] = (error as OpSdkError).findings[0].fix ?? [];
      expect(fix).toContain(`resources: ['${missing.resource}'], verbs: ['${missing.verb}']`);
      await eventually(async () =>
        expect(judgeAudit(await plane.readAuditEvents(), limited, []).forbidden).toMatchObject([
          { permission: missing, requests: 1 },
        ]),
      );
    }
  });
});
