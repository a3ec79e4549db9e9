// Programs of others that tests start, built with Go once per machine. Each group has its own module, most in test/programs, whose go.sum says
// exactly of which sources it is made.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { step } from './provision.mjs';
import { root, run, since } from './run.mjs';

/** Seconds for one program, on a machine that is busy with other things. */
const limit = 1800;
/** Seconds between two signs of life. */
const progressInterval = 15;

/** Thrown if programs cannot be obtained on this machine. The message is the reason for which their tests are skipped. */
export class ProgramsUnavailable extends Error {}

/** The folder in the cache of this user in which each version of a group of programs has its own. */
export const programsFolder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'op-sdk',
  'programs',
);

/**
 * Builds the programs of a module, unless this machine has them.
 * @param {string} group name of the group
 * @param {Record<string, string>} packages Go packages by the names of their programs
 * @param {{ folder?: string, tags?: readonly string[] }} [options] folder of the module, and build tags
 * @returns {Promise<string>} the folder that holds them
 * @throws ProgramsUnavailable if Go is missing, its modules cannot be downloaded, or they do not compile
 */
export function ensureGoPrograms(group, packages, { folder = `test/programs/${group}`, tags = [] } = {}) {
  const module = join(root, folder);
  const names = Object.keys(packages);
  const version = digestOf(module, tags);
  return ensureFolder(`${group}-${version}`, `build ${names.join(', ')}`, async (made) => {
    for (const [name, path] of Object.entries(packages))
      await buildProgram(module, path, join(made, name), tags);
  });
}

/**
 * Makes a folder of the cache, unless it is there. It appears when it is complete.
 * @param {string} name of the folder
 * @param {string} title shown if it has to be made
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>}
 */
export async function ensureFolder(name, title, fill) {
  const folder = join(programsFolder, name);
  if (existsSync(folder)) return folder;
  mkdirSync(programsFolder, { recursive: true });
  removeLeftovers();
  const fresh = mkdtempSync(join(programsFolder, `.partial-${process.pid}-`));
  try {
    await step(title, () => fill(fresh));
    renameSync(fresh, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** Removes what processes that were killed have left. */
function removeLeftovers() {
  for (const name of readdirSync(programsFolder)) {
    const pid = /^\.partial-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(programsFolder, name), { recursive: true, force: true });
  }
}

/** Another version of a module gets another folder, as do other tags. */
function digestOf(module, tags) {
  const hash = createHash('sha256').update(tags.join());
  for (const name of readdirSync(module)
    .filter((name) => /\.(?:go|mod|sum)$/.test(name))
    .sort())
    hash.update(`${name}\n`).update(readFileSync(join(module, name)));
  return hash.digest('hex').slice(0, 12);
}

async function buildProgram(module, path, program, tags) {
  const start = performance.now();
  const name = program.slice(program.lastIndexOf('/') + 1);
  const timer = setInterval(
    () => console.log(`    ${name}: compiling for ${Math.round(since(start))} s`),
    progressInterval * 1000,
  );
  const flags = ['-mod=readonly', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', `-tags=${tags.join()}`];
  const env = { GOGC: '400', ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' };
  try {
    const { code } = await run('go', ['build', ...flags, '-o', program, path], { cwd: module, env, limit });
    if (code !== 0) throw new ProgramsUnavailable(`${name} was not built: go ended with exit code ${code}`);
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new ProgramsUnavailable(`${name} was not built: go was not found on the PATH`);
    throw error;
  } finally {
    clearInterval(timer);
  }
  console.log(`    ${name}: ${since(start)} s`);
}
