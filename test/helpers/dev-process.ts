// `op-sdk dev` and `op-sdk run --watch` as processes, and scaffolded projects for them that use this checkout's package.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { devOutfile } from '../../src/compiler/build/index.ts';
import { eventually } from '../../src/testing/index.ts';
import { processesWith } from './processes.ts';
import { runCli } from './run-cli.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A running command of op-sdk. */
export interface DevProcess extends AsyncDisposable {
  readonly process: ChildProcess;
  /** All that it has written so far, its operator too. */
  output(): string;
  /** What it has written since the last call of `next`. */
  fresh(): string;
  /** Waits until what it has written since the last call contains a text, and forgets all up to its end. */
  next(text: string | RegExp): Promise<string>;
  /** Sends a signal, by default SIGINT; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `op-sdk …` of a project: that of its dependencies, unless `program` names another. */
export function startDev(
  project: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly program?: string } = {},
): DevProcess {
  const { env = process.env, program = join(project, 'node_modules', 'opsdk', 'bin', 'op-sdk.js') } = options;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that takes too long is not disposed of.
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  child.once('exit', () => process.off('exit', onExit));
  let text = '';
  let read = 0;
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part));
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const find = (wanted: string | RegExp): string | undefined => {
    const rest = text.slice(read);
    const found = typeof wanted === 'string' ? wanted : wanted.exec(rest)?.[0];
    const at = found === undefined ? -1 : rest.indexOf(found);
    if (found === undefined || at === -1) return undefined;
    read += at + found.length;
    return found;
  };
  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> => {
    if (isOver()) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    return child.exitCode;
  };
  return {
    process: child,
    output: () => text,
    fresh: () => text.slice(read),
    async next(wanted) {
      let found: string | undefined;
      await eventually(
        () => {
          found = find(wanted);
          // Nothing more will come.
          if (found === undefined && isOver()) return true;
          return found !== undefined;
        },
        { timeout: 45_000, interval: 25 },
      ).catch(() => undefined);
      return (
        found ??
        expect.fail(
          `${String(wanted)} is not in what op-sdk wrote:\n${text.slice(read)}\n(before:)\n${text.slice(0, read)}`,
        )
      );
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** The guards that would remove the webhooks of a project's commands from a cluster. */
export async function webhookGuardsOf(name: string): Promise<readonly number[]> {
  const guards = await processesWith(`guard-webhooks -- ${name}`);
  return guards.map(({ pid }) => pid);
}

/** Ends a command of a project and the guard of its webhooks at once, as the machine would: all that it brought stays. */
export async function killWithGuard(command: DevProcess, name: string): Promise<void> {
  for (const pid of await webhookGuardsOf(name)) process.kill(pid, 'SIGKILL');
  await command.stop('SIGKILL');
}

/** A scaffolded project with one kind, as `init` and `create api` leave it; `opsdk` is this checkout. */
export async function scaffoldProject(
  folder: string,
  {
    group,
    kind = 'Memcached',
    name = 'memo',
  }: { readonly group: string; readonly kind?: string; readonly name?: string },
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const argv of [
    ['init', '--domain', 'example.com', '--project-name', name, '--skip-install', '--opsdk', '^0.1.0'],
    ['create', 'api', '--group', group, '--version', 'v1alpha1', '--kind', kind],
  ]) {
    const { code, stderr } = await runCli(argv, { cwd: folder });
    expect(code, stderr).toBe(0);
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules', 'opsdk'));
}

/** Replaces a text in a file of a project, as an editor does: all at once. */
export function edit(project: string, file: string, from: string, to: string): void {
  const path = join(project, file);
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(from);
  writeFileSync(path, before.replace(from, to));
}

/** The process ids of the operators that run in a project's folder; none where there is no /proc to ask. */
export async function operatorsOf(project: string): Promise<readonly number[]> {
  const running = await processesWith(devOutfile);
  const here = running.filter(({ pid }) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === project;
    } catch {
      // It has ended since.
      return false;
    }
  });
  return here.map(({ pid }) => pid);
}

/** An operator of plain JavaScript that says how it was started, and serves webhooks as op-sdk asks it to, if it does. */
export const webhookOperator = `import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
process.on('SIGTERM', () => process.exit(0));
const valueOf = (flag: string): string | undefined =>
  process.argv.find((each) => each.startsWith(flag + '='))?.slice(flag.length + 1);
const port = valueOf('--webhook-port');
const folder = valueOf('--webhook-cert-path');
const answer = (url: string, request: any): object => {
  const { uid, objects, desiredAPIVersion: apiVersion } = request;
  if (url.startsWith('/convert')) {
    const convertedObjects = objects.map((object: object) => ({ ...object, apiVersion }));
    return { uid, result: { status: 'Success' }, convertedObjects };
  }
  const patch = JSON.stringify([{ op: 'add', path: '/spec/foo', value: 'by webhook' }]);
  return { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
};
if (port !== undefined && folder !== undefined) {
  const [cert, key] = [readFileSync(folder + '/tls.crt'), readFileSync(folder + '/tls.key')];
  createServer({ cert, key }, (incoming, outgoing) => {
    let text = '';
    incoming.on('data', (part) => (text += String(part)));
    incoming.on('end', () => {
      const { apiVersion, kind, request } = JSON.parse(text);
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify({ apiVersion, kind, response: answer(incoming.url ?? '', request) }));
    });
  }).listen(Number(port));
}
setInterval(() => undefined, 60_000);
console.log('webhooks: ' + (port === undefined ? 'none' : 'served') + ', ENABLE_WEBHOOKS ' + String(process.env['ENABLE_WEBHOOKS']));
`;

/** The configuration of a mutating webhook as `op-sdk generate manifests` writes it, in config/webhook. */
export function writeWebhookManifests(project: string, group: string): void {
  const folder = join(project, 'config', 'webhook');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'kustomization.yaml'),
    'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- manifests.yaml\n',
  );
  writeFileSync(
    join(folder, 'manifests.yaml'),
    `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: mutating-webhook-configuration
webhooks:
- name: mmemcached-v1alpha1.${group}.example.com
  admissionReviewVersions:
  - v1
  clientConfig:
    service:
      name: webhook-service
      namespace: system
      path: /mutate-${group}-example-com-v1alpha1-memcached
  failurePolicy: Fail
  sideEffects: None
  rules:
  - apiGroups:
    - ${group}.example.com
    apiVersions:
    - v1alpha1
    operations:
    - CREATE
    - UPDATE
    resources:
    - memcacheds
`,
  );
}
