// `npm create opsdk`: asks what to create, then runs `opsdk init` and `opsdk create api` in the project's folder.
import { spawnSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import {
  answersFrom,
  askDev,
  Cancelled,
  packageManagers,
  showCancelled,
  usage,
  UsageError,
  type Answers,
} from './answers.ts';

const opSdk = join(dirname(createRequire(import.meta.url).resolve('opsdk/package.json')), 'bin', 'op-sdk.js');

const userAgent = process.env['npm_config_user_agent'] ?? '';

/** The package manager that runs this; npm if its user agent is unknown. */
function runningManager(): string {
  const name = /^[a-z]+/.exec(userAgent)?.[0];
  return packageManagers.find((known) => known === name) ?? 'npm';
}

/** Runs op-sdk in a folder, with this terminal. @returns its exit code */
function run(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [opSdk, ...args], { cwd: folder, env, stdio: 'inherit' });
    // Ctrl-C reaches the child, too; this process ends when the child has ended.
    const ignore = (): void => undefined;
    process.on('SIGINT', ignore);
    child.on('error', fail);
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore);
      done(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

/** Has `opsdk init` check a domain, without writing anything. */
function checkDomain(domain: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'create-opsdk-'));
  try {
    const args = [
      'init',
      '--domain',
      domain,
      '--project-name',
      'check',
      '--opsdk',
      '*',
      '--dry-run',
      '-o',
      'json',
    ];
    const { stdout } = spawnSync(process.execPath, [opSdk, ...args], { cwd: folder, encoding: 'utf8' });
    const { errors } = JSON.parse(stdout) as { errors: readonly { message: string }[] };
    return errors[0]?.message;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The environment in which `init` scaffolds for a package manager, which may be another one than the running one. */
function environmentFor(packageManager: string): NodeJS.ProcessEnv {
  if (packageManager === runningManager()) return process.env;
  const { stdout } = spawnSync(packageManager, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return { ...process.env, npm_config_user_agent: `${packageManager}/${stdout?.trim() || '0'}` };
}

/** The commands that start the new operator, as a person types them. */
function nextCommands(answers: Answers, folder: string): readonly string[] {
  const exec =
    { npm: 'npx --no', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bun run' }[answers.packageManager] ?? '';
  const path = relative(process.cwd(), folder);
  return [
    ...(path === '' ? [] : [`cd ${/\s/.test(path) ? JSON.stringify(path) : path}`]),
    ...(answers.isInstalled ? [] : [`${answers.packageManager} install`]),
    `${exec} op-sdk dev${answers.kind === undefined ? '' : ' --samples'}`,
  ];
}

async function create(argv: readonly string[]): Promise<number> {
  const interactive = process.stdin.isTTY && process.stdout.isTTY && (process.env['CI'] ?? '') === '';
  const answers = await answersFrom(argv, { interactive, runningManager: runningManager(), checkDomain });
  if (answers === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const folder = resolve(answers.folder);
  if (existsSync(folder) && readdirSync(folder).some((name) => name !== '.git'))
    throw new UsageError(
      `${answers.folder} is not empty; choose another folder, or run \`opsdk init\` in it`,
    );
  const isNew = !existsSync(folder);
  mkdirSync(folder, { recursive: true });
  const env = environmentFor(answers.packageManager);
  // `create api` prints what follows from a kind; the hints of `init` would name it again.
  const init = await run(folder, ['init', '--domain', answers.domain, ...answers.initFlags], env);
  if (init !== 0) {
    // What `init` refuses it does not begin, so the folder may be as empty as before.
    if (isNew && readdirSync(folder).length === 0) rmdirSync(folder);
    return init;
  }
  if (answers.kind !== undefined) {
    const { group, version, kind } = answers.kind;
    const made = await run(
      folder,
      ['create', 'api', '--group', group, '--version', version, '--kind', kind],
      env,
    );
    if (made !== 0) return made;
  }
  const dev = answers.dev ?? (interactive && answers.isInstalled && (await askDev()));
  if (dev) return run(folder, ['dev', ...(answers.kind === undefined ? [] : ['--samples'])], env);
  process.stdout.write(
    `\nYour operator is ready. Start it:\n\n${nextCommands(answers, folder)
      .map((line) => `  ${line}\n`)
      .join('')}`,
  );
  return 0;
}

try {
  process.exitCode = await create(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    const lines = error.message.split('\n').map((line) => `error[create/usage]: ${line}\n`);
    process.stderr.write(`${lines.join('')}see: create-opsdk --help\n`);
    process.exitCode = 2;
  } else if (error instanceof Cancelled) {
    showCancelled();
    process.exitCode = 130;
  } else throw error;
}
