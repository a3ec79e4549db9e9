import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { exclusiveFlags, nodeCountFlag } from '../actions/input/flag-values.ts';
import { dryRunFlag } from '../flags/common.ts';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { OpSdkError } from '../../base/errors/index.ts';
import {
  bootControlPlane,
  isTestenvKubeconfig,
  resolveAssets,
  type ControlPlane,
  writingTo,
} from '../../testing/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';

export const command = defineCommand({
  flags: {
    version: flag.text('version', 'Kubernetes version (default: the one op-sdk is tested with)'),
    kubeconfig: flag.text('file', 'also write the kubeconfig there; removed at the end'),
    'controller-manager': flag.negated('do not run kube-controller-manager'),
    nodes: flag.text('number', 'nodes that pretend to run Pods (default: 0)'),
    ...dryRunFlag,
  },
  help: `Runs until Ctrl-C. Everything stored in it is lost then. With --nodes, Deployments become ready and Jobs
complete: no container runs, but the statuses are those of a kubelet.`,
  async run(context, options) {
    const { env, report, signal } = context;
    const nodes = nodeCount(options);
    const requested = options.version;
    const version = requested === undefined ? {} : { version: requested };
    const controllerManager = options.controllerManager !== false;
    const flag = options.kubeconfig;
    const target = flag === undefined ? undefined : resolve(context.cwd, flag);
    if (target !== undefined) await refuseForeignFile(target);
    if (options.dryRun === true) {
      const files = target === undefined ? '' : ` and write ${target} for as long as it runs`;
      return { result: { kubeconfig: target ?? null }, text: `would start a control plane${files}` };
    }

    const progress = (line: string): void => report.step(line);
    const { folder: assets } = await resolveAssets({ ...version, controllerManager, env, progress, signal });
    report.step(`starting the control plane (${assets})`);
    const controlPlane = await bootControlPlane({ ...version, assets, controllerManager, nodes, signal });
    return { result: await hold(context, controlPlane, target) };
  },
});

/** Reads `--nodes`. Pods come from kube-controller-manager, so nodes need it. @throws OpSdkError `cli/invalid-value` */
function nodeCount({
  nodes = '0',
  controllerManager,
}: {
  readonly nodes?: string | undefined;
  readonly controllerManager?: boolean | undefined;
}): number {
  const count = nodeCountFlag(nodes);
  if (count > 0 && controllerManager === false)
    throw new OpSdkError(exclusiveFlags('--nodes', '--no-controller-manager'));
  return count;
}

/** Keeps the control plane running until the signal aborts, or until the control plane ends by itself. */
async function hold(
  { report, signal }: CliContext,
  running: ControlPlane,
  target: string | undefined,
): Promise<{ readonly version: string }> {
  // This function contains no `import()`, because TypeScript 5.9 does not rewrite the `.ts` of an `import()` in a function with a lowered
  // `using`.
  await using controlPlane = running;
  const { kubeconfig, kubeconfigText, url, folder, version } = controlPlane;
  if (target !== undefined) {
    await writingTo(target, () => writeFile(target, kubeconfigText, { mode: 0o600 }));
  }
  report.info(`Kubernetes ${version} is ready at ${url}; logs are in ${folder}`);
  report.info(`export KUBECONFIG=${target ?? kubeconfig}`);
  report.info('Ctrl-C ends it');
  const ended = await endOf(signal, controlPlane.ended);
  if (target !== undefined) await removeIfSame(target, kubeconfigText);
  if (ended === undefined) {
    report.step('stopping');
    return { version };
  }
  throw new OpSdkError({
    code: 'testenv/not-running',
    message: `the control plane ended unexpectedly: ${ended}`,
    fix: ['run the command again'],
  });
}

/**
 * Waits until the signal aborts or the control plane ends. @returns undefined if the signal aborted, otherwise the reason why the control
 * plane ended
 */
async function endOf(signal: AbortSignal, ended: Promise<string>): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  return Promise.race([
    ended,
    new Promise<undefined>((done) => signal.addEventListener('abort', () => done(undefined), { once: true })),
  ]);
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === undefined) throw error;
    const message = `${file} cannot be read: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file } }, { cause: error });
  });
}

/** Refuses to overwrite a file that is not the kubeconfig of a former control plane. */
async function refuseForeignFile(file: string): Promise<void> {
  const text = await readIfThere(file);
  if (text === undefined || isTestenvKubeconfig(text)) return;
  throw new OpSdkError({
    code: 'testenv/foreign-file',
    message:
      'the kubeconfig would be written over an existing file that is not the kubeconfig of a test control plane',
    where: { file },
    fix: ['name another file with --kubeconfig', 'move the file away'],
  });
}

async function removeIfSame(file: string, text: string): Promise<void> {
  if ((await readIfThere(file)) === text) await rm(file);
}
