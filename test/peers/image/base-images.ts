import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { must } from '../../../scripts/lib/run.mjs';

/** Copies programs with the libraries that they are linked to, at the paths at which they are looked for. */
function copyPrograms(rootfs: string, programs: Readonly<Record<string, string>>): void {
  for (const [place, program] of Object.entries(programs)) {
    copyFile(program, join(rootfs, place));
    chmodSync(join(rootfs, place), 0o755);
    for (const library of librariesOf(program)) copyFile(library, join(rootfs, library));
  }
}

function librariesOf(program: string): string[] {
  const { stdout, status } = spawnSync('ldd', [program], { encoding: 'utf8' });
  if (status !== 0) return [];
  return [...stdout.matchAll(/(?:=> |^\t)(\/\S+)/gm)].map(([, path]) => path ?? '');
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to)) cpSync(realpathSync(from), to);
}

const which = (tool: string): string =>
  realpathSync(execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim());

/** Builds an image that holds a root file system and nothing else, and pushes it over plain HTTP. */
async function pushRootfs(
  rootfs: string,
  reference: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const context = mkdtempSync(join(tmpdir(), 'op-sdk-base-'));
  const variables = Object.entries(env)
    .map(([name, value]) => `ENV ${name}=${value}\n`)
    .join('');
  try {
    writeFileSync(join(context, 'Dockerfile'), `FROM scratch\nCOPY ${basename(rootfs)} /\n${variables}`);
    cpSync(rootfs, join(context, basename(rootfs)), { recursive: true, verbatimSymlinks: true });
    await buildah(['build', '--isolation', 'chroot', '--tag', reference, context]);
    await buildah(['push', '--tls-verify=false', reference]);
    await buildah(['rmi', '--force', reference]);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** Runs buildah. Not in one go with this process: the registry that it talks to may live here. @throws with its own words */
export async function buildah(args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn('buildah', args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (output += part));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`buildah ${args.join(' ')}\n${output}`);
}

/** The base of operators, from what this machine has: node with its libraries, no shell, no passwd. */
export async function pushNodeBase(reference: string): Promise<void> {
  const rootfs = mkdtempSync(join(tmpdir(), 'op-sdk-rootfs-'));
  try {
    copyPrograms(rootfs, { 'usr/bin/node': realpathSync(process.execPath) });
    mkdirSync(join(rootfs, 'tmp'));
    await pushRootfs(rootfs, reference, { PATH: '/usr/bin' });
  } finally {
    rmSync(rootfs, { recursive: true, force: true });
  }
}

/** The image that the Dockerfile builds in: node, npm, a shell, and the certificates that npm needs here. */
export async function pushBuildBase(reference: string): Promise<void> {
  const rootfs = mkdtempSync(join(tmpdir(), 'op-sdk-rootfs-'));
  try {
    copyPrograms(rootfs, {
      'usr/bin/node': realpathSync(process.execPath),
      'bin/sh': which('sh'),
      'usr/bin/env': which('env'),
    });
    const npm = dirname(dirname(which('npm')));
    cpSync(npm, join(rootfs, 'usr/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(rootfs, 'usr/bin/npm'));
    symlinkSync('../lib/node_modules/npm/bin/npx-cli.js', join(rootfs, 'usr/bin/npx'));
    const certificates = '/etc/ssl/certs/ca-certificates.crt';
    if (existsSync(certificates)) copyFile(certificates, join(rootfs, certificates));
    // Looked up by name, not linked to.
    for (const library of ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2']) {
      const file = join('/lib/x86_64-linux-gnu', library);
      if (existsSync(file)) copyFile(file, join(rootfs, file));
    }
    for (const folder of ['tmp', 'root']) mkdirSync(join(rootfs, folder), { recursive: true });
    const npm_config_registry = (await must('npm', ['config', 'get', 'registry'], { capture: true })).trim();
    await pushRootfs(rootfs, reference, {
      PATH: '/usr/bin:/bin',
      npm_config_registry,
      ...(existsSync(certificates) ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
    });
  } finally {
    rmSync(rootfs, { recursive: true, force: true });
  }
}
