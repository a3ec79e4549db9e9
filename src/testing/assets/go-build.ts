import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../../base/process/find-program.ts';
import type { Guardian } from '../../base/process/guardian.ts';
import { logTail } from '../../base/process/log-tail.ts';
import { executable, type Binary, type NodeBinary } from './binaries.ts';
import type { Env } from './cache.ts';
import { WayFailed, type WayRequest } from './way.ts';

/** Milliseconds between two progress reports of a long step. */
const progressInterval = 10_000;

interface GoBuildRequest extends WayRequest {
  readonly binaries: readonly (Binary | NodeBinary)[];
  /** Kills the compilers when this process ends. */
  readonly guardian: Guardian;
}

/**
 * Builds programs of Kubernetes from their published Go modules. The first build downloads about 200 MB and compiles for some minutes. Go's
 * own cache makes later builds fast.
 * @throws WayFailed with the end of Go's output
 */
export async function buildWithGo(request: GoBuildRequest): Promise<void> {
  const go = await findProgram('go', request.env['PATH'] ?? '');
  if (go === undefined) throw new WayFailed('`go` was not found on the PATH');
  request.progress('building from Go modules; the first time this takes several minutes');
  const run = goRunner(go, request);
  const module = `k8s.io/kubernetes@v${request.version}`;
  const answer = await run(`downloading ${module}`, ['mod', 'download', '-json', module]);
  const { GoMod } = JSON.parse(answer) as { GoMod: string };
  const kubernetes = readKubernetesModule(await readFile(GoMod, 'utf8'));
  await writeFile(join(request.work, 'go.mod'), buildModule(request.version, kubernetes));
  for (const [index, binary] of request.binaries.entries()) {
    const output = join(request.target, executable(binary));
    const step = `building ${binary} (${index + 1} of ${request.binaries.length})`;
    await run(step, buildArguments(binary, request.version, output));
  }
}

/** Returns a function that runs `go`, reports progress, and returns the stdout of `go`. */
function goRunner(
  go: string,
  request: GoBuildRequest,
): (step: string, args: readonly string[]) => Promise<string> {
  const { work, guardian, progress, signal } = request;
  let steps = 0;
  return async (step, args) => {
    signal?.throwIfAborted();
    const outputFile = join(work, `step-${++steps}.out`);
    const logFile = join(work, `step-${steps}.log`);
    const temporary = join(work, 'tmp');
    await mkdir(temporary, { recursive: true });
    const begun = performance.now();
    const elapsed = (): string => `${Math.round((performance.now() - begun) / 1_000)} s`;
    progress(step);
    const started = await guardian
      .spawn({ command: go, args, cwd: work, env: goEnv(request.env, temporary), logFile, outputFile })
      .catch((error: unknown) => {
        throw new WayFailed(`${go} cannot be run: ${(error as Error).message}`);
      });
    const timer = setInterval(() => progress(`${step}: ${elapsed()}`), progressInterval);
    const onAbort = (): void => started.kill('SIGKILL');
    signal?.addEventListener('abort', onAbort, { once: true });
    // The signal may have been aborted while the process was being started.
    if (signal?.aborted === true) onAbort();
    const exit = await started.exited;
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
    signal?.throwIfAborted();
    if (exit.code === 0) {
      progress(`${step}: done in ${elapsed()}`);
      return readFile(outputFile, 'utf8');
    }
    const tail = `${await logTail(logFile, 15)}\n${moduleError(await readFile(outputFile, 'utf8'))}`.trim();
    throw new WayFailed(`\`go ${args[0]}\` failed while ${step}:\n${tail}`);
  };
}

/** Returns the error in the output of `go mod download -json`, which reports failures as JSON on stdout. */
function moduleError(output: string): string {
  return /"Error": "(.*)"/.exec(output)?.[1] ?? '';
}

function goEnv(env: Env, temporary: string): Record<string, string | undefined> {
  return {
    ...env,
    CGO_ENABLED: '0',
    GO111MODULE: 'on',
    GOWORK: 'off',
    // Build for this machine, even if the caller's environment sets another target.
    GOOS: undefined,
    GOARCH: undefined,
    // Go's temporary folder is inside the folder that is removed after the build, even if the build is killed.
    GOTMPDIR: temporary,
  };
}

/** The parts of the go.mod of k8s.io/kubernetes that are needed for a build outside of the Kubernetes repository. */
interface KubernetesModule {
  /** Version of the Go language, such as `1.26.0`. */
  readonly go: string;
  /** Modules whose source is in the Kubernetes repository, such as `k8s.io/api`. */
  readonly staging: readonly string[];
  /** The version of `go.etcd.io/etcd/server/v3` with which this Kubernetes release is tested. */
  readonly etcd: string;
}

/** @throws WayFailed if the go.mod lacks one of the parts */
export function readKubernetesModule(goMod: string): KubernetesModule {
  const go = /^go (\S+)$/m.exec(goMod)?.[1];
  const etcd = /^\s*(?:require )?go\.etcd\.io\/etcd\/server\/v3 (v\S+)/m.exec(goMod)?.[1];
  const staging = [...goMod.matchAll(/^\s*(?:replace )?(k8s\.io\/\S+) => \.\/staging\/src\//gm)].map(
    ([, path = '']) => path,
  );
  if (go === undefined || etcd === undefined || staging.length === 0) {
    throw new WayFailed('the go.mod of k8s.io/kubernetes has another form than op-sdk knows');
  }
  return { go, etcd, staging };
}

/**
 * Returns the go.mod of a module that builds etcd and the Kubernetes programs. `k8s.io/kubernetes` itself refers to its staging modules by
 * paths inside its repository, which do not exist elsewhere. Therefore the returned go.mod uses the published versions of these modules:
 * v0.X.Y for Kubernetes v1.X.Y.
 * @param version such as `1.36.3`
 */
export function buildModule(version: string, kubernetes: KubernetesModule): string {
  const staged = `v0.${version.split('.').slice(1).join('.')}`;
  return [
    'module opsdk.dev/testenv',
    '',
    `go ${kubernetes.go}`,
    '',
    'require (',
    `\tgo.etcd.io/etcd/server/v3 ${kubernetes.etcd}`,
    `\tk8s.io/kubernetes v${version}`,
    ')',
    '',
    'replace (',
    ...kubernetes.staging.map((path) => `\t${path} => ${path} ${staged}`),
    ')',
    '',
  ].join('\n');
}

const packages: Readonly<Record<Binary | NodeBinary, string>> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubelet: 'k8s.io/kubernetes/cmd/kubelet',
  'kube-scheduler': 'k8s.io/kubernetes/cmd/kube-scheduler',
  'kube-proxy': 'k8s.io/kubernetes/cmd/kube-proxy',
};

/** The arguments with which `go` builds a program. */
export function buildArguments(
  binary: Binary | NodeBinary,
  version: string,
  output: string,
): readonly string[] {
  const [major = '', minor = ''] = version.split('.');
  const stamp = (name: string, value: string): string => `-X k8s.io/component-base/version.${name}=${value}`;
  const stamps = [stamp('gitVersion', `v${version}`), stamp('gitMajor', major), stamp('gitMinor', minor)];
  const linker = ['-s', '-w', ...(binary === 'etcd' ? [] : stamps)].join(' ');
  return [
    'build',
    '-mod=mod',
    '-trimpath',
    '-buildvcs=false',
    `-ldflags=${linker}`,
    '-o',
    output,
    packages[binary],
  ];
}
