// `op-sdk dev` with containers that run as processes of this machine. It runs dist/: build it first.
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Pod } from '../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../src/testing/index.ts';
import { uniqueName } from '../helpers/control-plane.ts';
import { edit, scaffoldProject, startDev } from '../helpers/dev-process.ts';
import { processesWith } from '../helpers/processes.ts';
import { Clients } from './clients.ts';

const group = uniqueName('programs');
const clients = new Clients();
let project: string;

/** A server that answers with its arguments. */
const server = `#!${process.execPath}
const { createServer } = require('node:http');
const [host, ...words] = process.argv.slice(2);
createServer((_, answer) => answer.end(words.join(' '))).listen(8080, host);
`;

const manifests = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec:
  selector: { app: web }
  ports: [{ name: http, port: 8080 }]
---
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default, labels: { app: web } }
spec:
  containers:
  - name: web
    image: registry.example.com/web:v1
    args: [$(POD_IP), hello, from, the, Pod]
    env: [{ name: POD_IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }]
    readinessProbe: { httpGet: { path: /, port: 8080 }, periodSeconds: 1 }
---
apiVersion: v1
kind: Pod
metadata: { name: own, namespace: default }
spec:
  restartPolicy: Never
  containers:
  - name: own
    image: controller:latest
    args: ['--help']
`;

beforeAll(async () => {
  project = join(mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-programs-')), group);
  await scaffoldProject(project, { group });
  writeFileSync(join(project, 'web.cjs'), server);
  chmodSync(join(project, 'web.cjs'), 0o755);
  writeFileSync(join(project, 'config/samples/web.yaml'), manifests);
  edit(project, 'config/samples/kustomization.yaml', 'resources:\n', 'resources:\n- web.yaml\n');
  const controller = `src/controllers/${group}/memcached.ts`;
  edit(project, controller, "'The operator has seen the object'", 'said');
  edit(project, controller, 'export const', "let said = '';\n\nexport const");
  const ask = "said = await (await fetch('http://web.default.svc:8080')).text();";
  edit(project, controller, '    // Create what', `    ${ask}\n    // Create what`);
});
afterAll(async () => {
  await clients.close();
  rmSync(join(project, '..'), { recursive: true, force: true });
});

const quiet = ['--', '--metrics-bind-address=0', '--health-probe-bind-address=0'];

describe.skipIf(process.platform !== 'linux')('op-sdk dev with test/programs.yaml', () => {
  test('runs the programs, and its operator and other terminals reach them', async () => {
    writeFileSync(join(project, 'test/programs.yaml'), 'web: ./web.cjs\n');
    await using dev = startDev(project, ['dev', '--samples', ...quiet]);
    await dev.next(
      'containers of web run as processes of this machine (test/programs.yaml); others pretend to run',
    );
    const line = await dev.next(/Service default\/web is at [\d.:]+/);
    await dev.next('Ready=True (Reconciled): hello from the Pod');
    const answer = await fetch(`http://${line.split(' ').at(-1)}`);
    expect(await answer.text()).toBe('hello from the Pod');
    const [, kubeconfig = ''] = /^export KUBECONFIG=(.*)$/m.exec(dev.output()) ?? [];
    const client = await clients.of(kubeconfig);
    await eventually(
      async () => {
        const { status } = await client.get(Pod, { name: 'own', namespace: 'default' });
        expect(status?.phase).toBe('Succeeded');
      },
      { timeout: 30_000 },
    );
    const [server] = await processesWith('hello from the Pod');
    process.kill(server?.pid ?? 0, 'SIGKILL');
    await dev.next(
      'container web of Pod default/web ended with exit code 137; its log: kubectl logs -n default web -c web',
    );
    expect(await dev.stop()).toBe(0);
    expect(await processesWith('hello from the Pod')).toEqual([]);
  });

  test('starts nothing while a program is missing, and pretends without them', async () => {
    writeFileSync(join(project, 'test/programs.yaml'), 'web: no-such-program\nother: 3\n');
    await using refused = startDev(project, ['dev', '--samples', ...quiet]);
    await refused.next('error[testenv/program-missing]');
    expect(refused.output()).toContain('test/programs.yaml');
    expect(refused.output()).not.toContain('Kubernetes 1');
    expect(await refused.stop()).not.toBe(0);

    await using dev = startDev(project, ['dev', '--samples', '--no-programs', ...quiet]);
    await dev.next('Pods become ready on a node that only pretends to run them');
    await dev.next('started the operator');
    expect(await processesWith('hello from the Pod')).toEqual([]);
    expect(await dev.stop()).toBe(0);
    expect(readFileSync(join(project, 'test/programs.yaml'), 'utf8')).toContain('no-such-program');
  });
});
