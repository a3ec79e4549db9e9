import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isLeftover } from '../../src/base/util/folders.ts';
import { smallBundle } from '../unit/olm/bundle/validate/bundle-folder.ts';
import { toYaml } from '../../src/kubernetes/yaml/to-yaml.ts';
import { createRandom } from './random.ts';
import { runCli } from './run-cli.ts';
import { treeOf } from './tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));

/** A command that is killed again and again, from the same files each time. */
export interface Scene {
  readonly name: string;
  /** The files from which it starts. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that bring the rest of what it starts from. */
  readonly before: readonly (readonly string[])[];
  readonly argv: readonly string[];
  /** Commands that must succeed when it was repeated. */
  readonly after: readonly (readonly string[])[];
  /** A command that may come before the repetition: its image is the one before the killed command, or the one after it. */
  readonly ships?: readonly string[];
}

/** Outcomes of the kills of a scene. */
export interface Kills {
  readonly kills: number;
  /** Kills that met the command between its first and its last change of a file. */
  readonly hits: number;
}

/** Kills wait for the first change, but for one in so many, whose time is drawn over the whole run of the command. */
const anywhere = 8;

/**
 * Kills a command `count` times with SIGKILL. The times are drawn: over the interval from its first change of a file to its end, as
 * trial runs took it, and for one kill in eight over its whole run. After each kill the repeated command must succeed and leave exactly
 * the files that it leaves without a kill.
 */
export async function killWhileWriting(scene: Scene, count: number, seed: number): Promise<Kills> {
  const random = createRandom(seed);
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-kills-'));
  try {
    const start = await startingPoint(scene, scratch);
    const copy = (name: string): string => {
      const folder = join(scratch, name);
      cpSync(start, folder, { recursive: true });
      return folder;
    };
    const whole = copy('whole');
    const images = new Set<string | undefined>([await shipped(scene, copy('untouched'))]);
    const trials = [
      await timed(scene, copy('trial-1')),
      await timed(scene, copy('trial-2')),
      await timed(scene, whole),
    ];
    // The shortest: a trial on a busy machine takes longer than the next run.
    const trial = {
      run: Math.min(...trials.map((each) => each.run)),
      writing: Math.min(...trials.map((each) => each.writing)),
    };
    const finished = treeOf(whole);
    images.add(await shipped(scene, whole));
    let hits = 0;
    for (let round = 0; round < count; round++) {
      const folder = copy('round');
      const isAnywhere = random.chance(1 / anywhere);
      const wait = random.next() * (isAnywhere ? trial.run : trial.writing);
      if (await killed(scene, folder, { wait, afterFirstChange: !isAnywhere })) hits += 1;
      const place = `${scene.name}: kill ${round}, ${Math.round(wait)} ms after its ${isAnywhere ? 'start' : 'first change'}`;
      if (scene.ships !== undefined && random.chance(0.5))
        expect([...images], place).toContain(await shipped(scene, folder));
      for (const argv of [scene.argv, ...scene.after]) {
        const { code, stderr } = await runCli(argv, { cwd: folder });
        expect(code, `${place}: ${argv.join(' ')}\n${stderr}`).toBe(0);
      }
      expect(ownFiles(treeOf(folder)), place).toEqual(ownFiles(finished));
      expect(leftIn(folder), place).toEqual([]);
      rmSync(folder, { recursive: true });
    }
    return { kills: count, hits };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The tree without the images that `ships` writes. */
function ownFiles(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('shipped')));
}

async function startingPoint({ files, before }: Scene, scratch: string): Promise<string> {
  const folder = join(scratch, 'start');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const argv of before) {
    const { code, stderr } = await runCli(argv, { cwd: folder });
    expect(code, stderr).toBe(0);
  }
  return folder;
}

/** The digest of the image; undefined without one, as of a catalogue that is not there yet. */
async function shipped({ ships }: Scene, folder: string): Promise<string | undefined> {
  if (ships === undefined) return undefined;
  const { code, stdout } = await runCli([...ships, '--to', 'oci-archive:shipped.tar'], { cwd: folder });
  return code === 0 ? stdout.split('@')[1] : undefined;
}

function run({ argv }: Scene, cwd: string) {
  const env = { ...process.env, OPSDK_NO_CACHE: '1' };
  const child = spawn(process.execPath, [opSdk, ...argv], { cwd, env, stdio: 'ignore' });
  let code: number | null | undefined;
  const ended = once(child, 'exit').then(([status]) => void (code = status as number | null));
  return { child, ended, hasEnded: () => code !== undefined, code: () => code };
}

/** Milliseconds that the whole run and its changes of files take. */
async function timed(
  scene: Scene,
  folder: string,
): Promise<{ readonly run: number; readonly writing: number }> {
  const start = performance.now();
  const { ended, hasEnded, code } = run(scene, folder);
  let first = 0;
  while (!hasEnded() && !isWriting(folder)) await sleep(1);
  first = performance.now();
  let last = first;
  while (!hasEnded()) {
    if (isWriting(folder)) last = performance.now();
    await sleep(1);
  }
  await ended;
  expect(code(), scene.name).toBe(0);
  return { run: performance.now() - start, writing: Math.max(last - first, 1) };
}

/** @returns whether it was killed while it wrote */
async function killed(
  scene: Scene,
  folder: string,
  { wait, afterFirstChange }: { readonly wait: number; readonly afterFirstChange: boolean },
): Promise<boolean> {
  const { child, ended, hasEnded } = run(scene, folder);
  while (afterFirstChange && !hasEnded() && !isWriting(folder)) await sleep(1);
  const due = performance.now() + wait;
  // A timer of some milliseconds may come late.
  while (!hasEnded() && performance.now() < due) await sleep(due - performance.now() > 5 ? 4 : 0);
  child.kill('SIGKILL');
  await ended;
  return isWriting(folder);
}

/** Whether something is there that a command removes when it has written all. */
function isWriting(folder: string): boolean {
  return (
    existsSync(join(folder, '.op-sdk/.state/journal.json')) ||
    leftIn(folder).some((path) => !path.endsWith('.op-sdk'))
  );
}

/** Temporary files, locks and journals below a folder. */
function leftIn(folder: string): readonly string[] {
  const found: string[] = [];
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name === 'node_modules') continue;
      if (isLeftover(entry.name) || entry.name === '.op-sdk.lock' || /\.lock$/.test(entry.name))
        found.push(path);
      // Folders come and go while the command runs.
      else if (entry.isDirectory() && existsSync(join(folder, path))) walk(path);
    }
  };
  try {
    walk('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return found;
}

/** The files of a bundle of this version. */
function bundleFiles(folder: string, version: string, replaces?: string): Record<string, string> {
  const { csv, crd, annotations } = smallBundle() as Record<string, Record<string, never>>;
  const own = structuredClone(csv) as unknown as {
    metadata: { name: string };
    spec: Record<string, unknown>;
  };
  own.metadata.name = `web-operator.v${version}`;
  own.spec['version'] = version;
  if (replaces !== undefined) own.spec['replaces'] = replaces;
  return {
    [`${folder}/manifests/web-operator.clusterserviceversion.yaml`]: toYaml(own),
    [`${folder}/manifests/example.com_sites.yaml`]: toYaml(crd),
    [`${folder}/metadata/annotations.yaml`]: toYaml({ annotations }),
  };
}

const first = bundleFiles('first', '0.1.0');
const second = bundleFiles('bundle', '0.2.0', 'web-operator.v0.1.0');
const image = ['--image', 'registry.example.com/{{.Package}}/bundle:v{{.Version}}'];
const tag = (version: string): readonly string[] => ['--tag', `registry.example.com/team/web:${version}`];
const validate = ['catalog', 'validate'];
const catalogBuild = ['catalog', 'build', ...tag('catalog')];
const PROJECT =
  'domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nprojectName: sample\nversion: "3"\n';
const lazy = (index: number): string =>
  `export const text${index} = ${JSON.stringify(`chunk ${index} `.repeat(2000))};\n`;

/** The commands whose kills are tried: each from files that are there already, and from none. */
export const scenes: readonly (readonly [command: string, existing: Scene, fresh: Scene])[] = [
  [
    'catalog add',
    {
      name: 'catalog add to a catalogue',
      files: { ...first, ...second },
      before: [['catalog', 'add', 'first', ...image]],
      argv: ['catalog', 'add', 'bundle', ...image],
      after: [validate],
      ships: catalogBuild,
    },
    {
      name: 'catalog add of a new catalogue in a project',
      files: { PROJECT, ...first },
      before: [],
      argv: ['catalog', 'add', 'first', ...image],
      after: [validate],
      ships: catalogBuild,
    },
  ],
  [
    'build',
    {
      name: 'build over a former bundle',
      files: {
        'dist/main.mjs': 'old\n',
        'dist/chunks/old-ABCDEFGH.mjs': 'old\n',
        ...sources(),
      },
      before: [],
      argv: ['build'],
      after: [],
    },
    { name: 'build', files: sources(), before: [], argv: ['build'], after: [] },
  ],
  [
    'bundle build',
    {
      name: 'bundle build beside another image',
      files: { ...first, ...second },
      before: [['bundle', 'build', 'first', ...tag('v0.1.0')]],
      argv: ['bundle', 'build', 'bundle', ...tag('v0.2.0')],
      after: [],
    },
    {
      name: 'bundle build into an archive',
      files: first,
      before: [],
      argv: ['bundle', 'build', 'first', ...tag('v0.1.0'), '--to', 'oci-archive:images/bundle.tar'],
      after: [],
    },
  ],
];

function sources(): Record<string, string> {
  const numbers = [1, 2, 3, 4];
  const imports = numbers.map((index) => `console.log((await import('./lazy${index}.ts')).text${index});\n`);
  return {
    PROJECT,
    'package.json': '{"type":"module"}\n',
    'src/main.ts': imports.join(''),
    ...Object.fromEntries(numbers.map((index) => [`src/lazy${index}.ts`, lazy(index)])),
  };
}

/** Kills a command `count` times, half of them from files that are there, half from none. */
export async function killBoth(
  [, existing, fresh]: (typeof scenes)[number],
  count: number,
  seed: number,
): Promise<Kills> {
  const one = await killWhileWriting(existing, Math.ceil(count / 2), seed);
  const two = await killWhileWriting(fresh, Math.floor(count / 2), seed + 1);
  return { kills: one.kills + two.kills, hits: one.hits + two.hits };
}
