import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createClient,
  loadCluster,
  type CreateObject,
  type KubeClient,
} from '../../../src/sdk/kube/index.ts';
import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import {
  type Container,
  ConfigMap,
  Event,
  Pod,
  Secret,
  Service,
} from '../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually, startControlPlane, type ControlPlane } from '../../../src/testing/index.ts';

/** A server that answers with what it has: its environment, its arguments, and files. */
const program = `
  import { createServer } from 'node:http';
  import { appendFileSync, readFileSync } from 'node:fs';
  const [address, ...args] = process.argv.slice(1);
  console.log('hello from ' + process.env.POD_NAME);
  process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
  createServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    if (url.pathname === '/exit') { console.error('leaving'); process.exit(Number(url.searchParams.get('code'))); }
    if (url.pathname === '/read') return response.end(readFileSync(url.searchParams.get('file')));
    if (url.pathname === '/write') appendFileSync(url.searchParams.get('file'), 'x');
    response.end(JSON.stringify({ env: process.env, args, cwd: process.cwd() }));
  }).listen(8080, address);
`;

interface Answer {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly cwd: string;
}

const namespace = 'default';

describe.skipIf(process.platform !== 'linux')('Pods with processes', () => {
  let plane: ControlPlane;
  let client: KubeClient;

  beforeAll(async () => {
    plane = await startControlPlane({
      nodes: {
        restartBackOff: 300,
        runProcesses: {
          'example.com/server': ({ address, args }) => ({
            file: process.execPath,
            args: ['--input-type=module', '-e', program, '--', address, ...args],
          }),
          // Writes its second argument to the file of the first, and ends with the code of the third.
          'example.com/worker': ({ args: [file = '', text = '', code = ''] }) => ({
            file: process.execPath,
            args: [
              '-e',
              `require('fs').writeFileSync(${JSON.stringify(file)}, ${text}); process.exit(${code})`,
            ],
          }),
          missing: () => ({ file: '/no/such/program' }),
          broken: () => Promise.reject(new Error('no binary for this version')),
        },
      },
    });
    client = createClient({
      cluster: await loadCluster({ kubeconfig: plane.kubeconfig }),
      fieldManager: 'test',
    });
    await client.create(ConfigMap, { metadata: { name: 'settings', namespace }, data: { color: 'red' } });
    await client.create(Secret, { metadata: { name: 'login', namespace }, stringData: { user: 'anna' } });
    await client.create(Service, {
      metadata: { name: 'web', namespace },
      spec: { selector: { app: 'web' }, ports: [{ port: 9000, targetPort: 'http' }] },
    });
    await client.create(StatefulSet, {
      metadata: { name: 'web', namespace },
      spec: {
        replicas: 2,
        serviceName: 'web',
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            terminationGracePeriodSeconds: 20,
            containers: [
              {
                name: 'server',
                image: 'example.com/server:v1',
                ports: [{ name: 'http', containerPort: 8080 }],
                args: ['--peer=web-1.web.default.svc:8080', '--data=/data', '$(POD_NAME)'],
                env: [
                  { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                  { name: 'LOGIN', valueFrom: { secretKeyRef: { name: 'login', key: 'user' } } },
                  { name: 'CONFIG', value: '/etc/server/color' },
                ],
                readinessProbe: { httpGet: { path: '/', port: 'http' } },
                lifecycle: { preStop: { exec: { command: ['touch', '/data/stopped'] } } },
                volumeMounts: [
                  { name: 'data', mountPath: '/data' },
                  { name: 'config', mountPath: '/etc/server' },
                ],
              },
            ],
            volumes: [{ name: 'config', configMap: { name: 'settings' } }],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    });
    await eventually(async () => expect(await readyReplicas()).toBe(2), { timeout: '60s' });
  });
  afterAll(async () => {
    await client?.close();
    await plane?.stop();
  });

  const readyReplicas = async (): Promise<number> =>
    (await client.get(StatefulSet, { name: 'web', namespace })).status?.readyReplicas ?? 0;
  const podOf = (name: string): Promise<Pod> => client.get(Pod, { name, namespace });
  const ask = async (path = '/', host = 'web-0.web.default.svc:8080'): Promise<string> =>
    (await fetch(`http://${host}${path}`)).text();
  const whole = async (host?: string): Promise<Answer> => JSON.parse(await ask('/', host)) as Answer;
  const logOf = async (name: string, query = ''): Promise<string> =>
    (
      await client.raw.request({
        method: 'GET',
        path: `/api/v1/namespaces/${namespace}/pods/${name}/log${query}`,
      })
    ).text();

  test.each([
    { name: 'message-done', code: '0', text: "'42 saved'", message: '42 saved' },
    { name: 'message-failed', code: '3', text: "'no space'", message: 'no space' },
    { name: 'message-long', code: '0', text: "'x'.repeat(5000) + 'end'", message: `${'x'.repeat(4093)}end` },
    { name: 'message-silent', code: '0', text: "''", message: undefined },
    { name: 'message-elsewhere', code: '0', text: "'there'", message: 'there', path: '/run/result' },
  ])('leave a message in their status: $name', async ({ name, code, text, message, path }) => {
    const container: Container = {
      name: 'worker',
      image: 'example.com/worker',
      args: [path ?? '/dev/termination-log', text, code],
      ...(path === undefined ? {} : { terminationMessagePath: path }),
    };
    await client.create(Pod, {
      metadata: { name, namespace },
      spec: { restartPolicy: 'Never', containers: [container] },
    });
    await eventually(async () => {
      const [status] = (await podOf(name)).status?.containerStatuses ?? [];
      const { exitCode, message: left } = status?.state?.terminated ?? {};
      expect({ exitCode, left }).toEqual({ exitCode: Number(code), left: message });
    });
  });

  test('find each other by their names, as this process finds them', async () => {
    const { args, env, cwd } = await whole();
    expect(args[0]).toBe(`--peer=${plane.workloads.resolve('web-1.web.default.svc')}:8080`);
    expect(args[2]).toBe('web-0');
    expect(env).toMatchObject({ POD_NAME: 'web-0', LOGIN: 'anna', HOSTNAME: 'web-0' });
    expect(cwd).toContain((await podOf('web-0')).metadata.uid);
    expect(env['PATH']).toBe(process.env['PATH']);
    expect(Object.keys(env).filter((name) => name.startsWith('npm_') || name.startsWith('VITEST'))).toEqual(
      [],
    );
  });

  test('are found by the name of their Service, one after the other', async () => {
    const seen = new Set<string | undefined>();
    for (let index = 0; index < 4; index++)
      seen.add((await whole('web.default.svc.cluster.local:9000')).env['POD_NAME']);
    expect([...seen].sort()).toEqual(['web-0', 'web-1']);
  });

  test('read ConfigMaps as files, and see changes', async () => {
    const { env } = await whole();
    const read = () => ask(`/read?file=${env['CONFIG']}`);
    expect(await read()).toBe('red');
    await client.patch(
      ConfigMap,
      { name: 'settings', namespace },
      { type: 'merge', body: { data: { color: 'blue' } } },
    );
    await eventually(async () => expect(await read()).toBe('blue'));
  });

  test('have the rights of their ServiceAccount', async () => {
    const { env } = await whole();
    const own = createClient({
      cluster: await loadCluster({ kubeconfig: env['KUBECONFIG'] ?? '' }),
      fieldManager: 'test',
    });
    try {
      const answer = await own.raw.request({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      });
      expect(answer.json()).toMatchObject({
        status: { userInfo: { username: 'system:serviceaccount:default:default' } },
      });
    } finally {
      await own.close();
    }
  });

  test('that end are started again, with their exit code, logs and volumes', async () => {
    const { args } = await whole('web-1.web.default.svc:8080');
    const folder = args[1]?.replace('--data=', '') ?? '';
    await ask(`/write?file=${folder}/x`, 'web-1.web.default.svc:8080');
    await ask('/exit?code=7', 'web-1.web.default.svc:8080').catch(() => undefined);
    await eventually(async () =>
      expect((await podOf('web-1')).status?.containerStatuses?.[0]).toMatchObject({
        restartCount: 1,
        ready: true,
        lastState: { terminated: { exitCode: 7, reason: 'Error' } },
      }),
    );
    expect(await logOf('web-1', '?previous=true')).toBe('hello from web-1\nleaving\n');
    expect(await logOf('web-1', '?tailLines=1')).toBe('hello from web-1\n');
    expect(await ask(`/read?file=${folder}/x`, 'web-1.web.default.svc:8080')).toBe('x');
    const before = (await podOf('web-1')).metadata.uid;
    await client.delete(Pod, { name: 'web-1', namespace });
    await eventually(async () => {
      const { metadata, status } = await podOf('web-1');
      expect(metadata.uid).not.toBe(before);
      expect(status?.containerStatuses?.[0]?.ready).toBe(true);
    });
    expect(await ask(`/read?file=${folder}/x`, 'web-1.web.default.svc:8080')).toBe('x');
    expect(await ask(`/read?file=${folder}/stopped`, 'web-1.web.default.svc:8080')).toBe('');
  });

  test('that crash by demand are killed', async () => {
    plane.workloads.pods({ name: 'web-0' }).crash({ exitCode: 42 });
    await eventually(async () =>
      expect((await podOf('web-0')).status?.containerStatuses?.[0]).toMatchObject({
        ready: true,
        lastState: { terminated: { exitCode: 42 } },
      }),
    );
  });

  test.each([
    ['missing', 'spawn /no/such/program ENOENT'],
    ['broken', 'no binary for this version'],
  ])('whose process cannot be started say why: %s', async (image, message) => {
    await client.create(Pod, {
      metadata: { name: image, namespace },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] },
    });
    await eventually(async () => {
      const { status } = await podOf(image);
      expect(status).toMatchObject({ phase: 'Failed' });
      expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
        ...{ exitCode: 128, reason: 'StartError', message },
      });
    });
  });

  test('are ready when a command of their probe succeeds', async () => {
    await client.create(Pod, {
      metadata: { name: 'checked', namespace },
      spec: {
        hostname: 'checked',
        subdomain: 'web',
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'server',
            image: 'example.com/server',
            args: ['/work'],
            readinessProbe: { exec: { command: ['test', '-e', '/work/ready'] } },
            volumeMounts: [{ name: 'work', mountPath: '/work' }],
          },
        ],
        volumes: [{ name: 'work', emptyDir: {} }],
      },
    });
    const host = 'checked.web.default.svc:8080';
    const [folder] = await eventually(async () => (await whole(host)).args);
    expect((await podOf('checked')).status?.containerStatuses?.[0]).toMatchObject({
      started: true,
      ready: false,
    });
    await ask(`/write?file=${folder}/ready`, host);
    await eventually(async () =>
      expect((await podOf('checked')).status?.containerStatuses?.[0]?.ready).toBe(true),
    );
    await client.delete(Pod, { name: 'checked', namespace });
  });

  test('run a hook after their start, and are stopped when it fails', async () => {
    const podWith = (name: string, container: Partial<Container>): CreateObject<Pod> => ({
      metadata: { name, namespace },
      spec: {
        ...{ hostname: name, subdomain: 'web', restartPolicy: 'Never', terminationGracePeriodSeconds: 1 },
        containers: [{ name: 'server', image: 'example.com/server', ...container }],
        volumes: [{ name: 'work', emptyDir: {} }],
      },
    });
    await client.create(
      Pod,
      podWith('hooked', {
        args: ['/work'],
        lifecycle: { postStart: { exec: { command: ['touch', '/work/started'] } } },
        volumeMounts: [{ name: 'work', mountPath: '/work' }],
      }),
    );
    await client.create(Pod, podWith('failed', { lifecycle: { postStart: { httpGet: { port: 'none' } } } }));
    const host = 'hooked.web.default.svc:8080';
    const [folder] = await eventually(async () => (await whole(host)).args);
    await eventually(async () => expect(await ask(`/read?file=${folder}/started`, host)).toBe(''));
    await eventually(async () => {
      const [status] = (await podOf('failed')).status?.containerStatuses ?? [];
      expect(status?.state?.terminated).toBeDefined();
      const { items } = await client.list(Event, { namespace });
      expect(items.map(({ message }) => message)).toContain(
        'PostStartHook failed: couldn\'t find port: "none" in container "server"',
      );
    });
    for (const name of ['hooked', 'failed']) await client.delete(Pod, { name, namespace });
  });

  test('that fail their liveness probe are started again', async () => {
    await client.create(Pod, {
      metadata: { name: 'deaf', namespace },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'server',
            image: 'example.com/server',
            livenessProbe: { httpGet: { port: 9999 }, periodSeconds: 1, failureThreshold: 1 },
          },
        ],
      },
    });
    await eventually(async () => {
      const [status] = (await podOf('deaf')).status?.containerStatuses ?? [];
      expect(status?.restartCount).toBeGreaterThan(0);
      const events = (await client.list(Event, { namespace })).items.filter(
        ({ involvedObject }) => involvedObject.name === 'deaf',
      );
      expect(events.map(({ message }) => message).join('\n')).toContain(
        'Liveness probe failed: Get "http://127.',
      );
    });
    await client.delete(Pod, { name: 'deaf', namespace });
  });
});
