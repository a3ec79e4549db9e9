// The two operators of the benchmark, and the driver that asks them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { freePort } from '../../scripts/lib/free-port.mjs';

/** The namespace whose ConfigMaps they cache. */
export const namespace = 'cached';

/** As the scaffolded Deployment starts it; NODE_FLAGS comes on top, such as --cpu-prof. */
const nodeFlags = [
  ...['--enable-source-maps', '--max-semi-space-size=4'],
  ...(process.env.NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== ''),
];

/** How each operator is started. */
const commands = {
  'op-sdk': ({ program, kubeconfig, certificates, port, objects }) => ({
    argv: [
      ...[process.execPath, ...nodeFlags, program, `--kubeconfig=${kubeconfig}`],
      ...[`--webhook-port=${port}`, `--webhook-cert-path=${certificates}`],
      ...['--health-probe-bind-address=0', '--metrics-bind-address=127.0.0.1:0'],
    ],
    env: { WATCH_NAMESPACE: namespace, OBJECTS: String(objects) },
  }),
  'controller-runtime': ({ program, kubeconfig, certificates, port, objects }) => ({
    argv: [
      ...[program, '-cluster', kubeconfig, '-certificates', certificates, '-port', String(port)],
      ...['-namespace', namespace, '-objects', String(objects)],
    ],
    env: {},
  }),
};

/** @param setup `programs` by the name of the operator, `kubeconfig`, `certificates` (a folder), and `objects`: after so many reconciles `said('reconciled all')` is kept */
export async function startOperator(name, { programs, objects = 0, ...setup }) {
  const port = await freePort();
  const { argv, env } = commands[name]({ ...setup, port, objects, program: programs[name] });
  const child = spawn(argv[0], argv.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  const lines = [];
  const waiting = new Set();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  return {
    name,
    pid: child.pid,
    url: `https://127.0.0.1:${port}`,
    /** Waits for a line of its log. */
    said: (part) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (lines.some((line) => line.includes(part))) resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`${name} has ended:\n${lines.slice(-20).join('\n')}`)));
      }),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Runs the driver against an operator.
 *
 * @param control is called with `phase(name)` to begin one and `end()`; without it the driver ends after its number of requests
 * @returns {Promise<{ cpu: number, phases: { phase: string, requests: number, p50: number, p99: number, longest: number }[] }>} seconds of
 *   CPU a request, and milliseconds
 */
export async function drive(operator, { driver, authority, requests, args, control }) {
  const child = spawn(
    driver,
    [
      ...['-url', operator.url, '-ca', authority, '-requests', requests, '-pid', String(operator.pid)],
      ...(control === undefined ? [] : ['-phases']),
      ...args.map(String),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  // If it has ended early, its exit code says so.
  child.stdin.on('error', () => undefined);
  const output = Promise.all([text(child.stdout), once(child, 'close')]);
  await control?.((phase) => child.stdin.write(`${phase}\n`));
  child.stdin.end();
  const [figures, [code]] = await output;
  if (code !== 0) throw new Error(`${operator.name} did not answer as it should`);
  return JSON.parse(figures);
}

/** One review. @returns the response in the answer */
export async function ask(operator, ca, path, review) {
  const { status, body } = await new Promise((resolve, reject) => {
    const options = { method: 'POST', ca, agent: false, headers: { 'content-type': 'application/json' } };
    request(`${operator.url}${path}`, options, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(review));
  });
  if (status !== 200) throw new Error(`${operator.name} ${path}: ${status} ${body}`);
  return JSON.parse(body).response;
}
