// `op-sdk upgrade` and `op-sdk generate helm`, killed before each of their changes of files: in the project's transaction, and in what comes
// before and after it: 60 kills of four commands with TEST_THOROUGH=1, otherwise some of two. FC_SEED draws others.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftover } from '../../src/base/util/folders.ts';
import { runCounted, type CountedCommand, type CountedEnd } from '../helpers/killed-steps/killed-steps.ts';
import { OpsdkVersion } from '../helpers/opsdk-versions.ts';
import { ProjectInGit } from '../helpers/project-in-git.ts';
import { createRandom } from '../helpers/random.ts';
import { isThorough } from '../helpers/thorough.ts';
import { treeOf } from '../helpers/tree.ts';

let scratch = '';
let old: OpsdkVersion;
let next: OpsdkVersion;
let env: NodeJS.ProcessEnv;

const chartFile = 'chart/templates/manager/controller-manager.yaml';

beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-killed-upgrade-')));
  old = new OpsdkVersion(join(scratch, 'old'), '1.0.0').remembering();
  next = new OpsdkVersion(join(scratch, 'next'), '1.1.0')
    .remembering()
    .rename('templates/init/AGENTS.md.hbs', 'templates/init/GUIDE.md.hbs')
    .edit('templates/init/Dockerfile.hbs', (text) => `# Version 1.1.0\n${text}`)
    .edit('templates/init/package.json.hbs', (text) =>
      text.replace('"scripts": {', '"scripts": {\n    "hello": "echo hello",'),
    )
    .edit('templates/init/config/manager/manager.yaml.hbs', (text) =>
      text.replace('periodSeconds: 20', 'periodSeconds: 15'),
    )
    .edit('templates/api/src/api/__group__/__version__/__kind__.ts.hbs', (text) =>
      text.replace('  foo?: string;', '  foo?: string;\n  /** Bar is new. */\n  bar?: string;'),
    );
  for (const name of ['bin', 'tmp', 'archives']) mkdirSync(join(scratch, name));
  const helpers = join(import.meta.dirname, '../helpers/killed-steps');
  program('npm', `exec '${process.execPath}' '${helpers}/npm.mjs' "$@"`);
  program('npx', `shift 2\nexec '${process.execPath}' node_modules/.bin/op-sdk "$@"`);
  for (const { version } of [old, next]) writeFileSync(archiveOf(version), `archive of ${version}`);
  const { OPSDK_NO_CACHE: _cache, ...outer } = process.env;
  env = {
    ...outer,
    PATH: `${join(scratch, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    TMPDIR: join(scratch, 'tmp'),
    // Manifests that were generated once are not generated again for each kill.
    XDG_CACHE_HOME: join(scratch, 'cache'),
    NPM_VERSIONS: JSON.stringify({ 'opsdk-1.0.0.tgz': old.root, 'opsdk-1.1.0.tgz': next.root }),
  };
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const archiveOf = (version: string): string => join(scratch, 'archives', `opsdk-${version}.tgz`);

function program(name: string, script: string): void {
  const file = join(scratch, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** A command that is killed again and again, from the same project each time. */
interface Scene {
  readonly argv: readonly string[];
  /** Brings the project from one of the old version with the kind Nginx to the one that the command finds. */
  readonly prepare: (project: ProjectInGit) => void;
  /** Exit code of the command that is not killed. */
  readonly code: number;
  /** Text of stderr that must not be missing in the end. */
  readonly shown: string;
  /** Files of op-sdk's own that are there in the end. */
  readonly left?: readonly string[];
  /** Kills in a thorough run. */
  readonly kills: number;
  /** Kills in a run that is not thorough; none if absent. */
  readonly fewKills?: number;
}

const upgrade = ['upgrade', '--to', '../../archives/opsdk-1.1.0.tgz'];

/** A command that writes but finds nothing to change: it finishes or undoes what another one has left. */
const changesNothing = [
  'kustomize',
  'edit',
  'set',
  'namespace',
  'web-operator-system',
  '--dir',
  'config/default',
];

function edit(project: ProjectInGit): void {
  project.edit('Dockerfile', 'WORKDIR /workspace', '# mine\nWORKDIR /workspace');
  project.edit('package.json', '"dependencies": {', '"dependencies": {\n    "left-pad": "1.3.0",');
  project.edit('src/controllers/web/nginx.ts', 'import', '// mine\nimport');
  project.edit(
    'src/api/web/v1/nginx.ts',
    'export interface NginxStatus',
    '// mine\nexport interface NginxStatus',
  );
}

const scenes: Readonly<Record<string, Scene>> = {
  'upgrade of a project with a chart': {
    argv: upgrade,
    prepare(project) {
      old.done(project.folder, 'generate helm');
      edit(project);
      project.edit(chartFile, 'spec:', '# mine\nspec:');
    },
    code: 0,
    shown: 'npx --no op-sdk generate helm',
    kills: 24,
    fewKills: 4,
  },
  'upgrade with a conflict': {
    argv: [...upgrade, '--skip-install'],
    prepare(project) {
      edit(project);
      project.edit('config/manager/manager.yaml', 'periodSeconds: 20', 'periodSeconds: 30');
    },
    code: 1,
    shown: 'upgrade/conflict',
    // The upgrade is at its end when its conflicts are resolved.
    left: ['.op-sdk/.state/', '.op-sdk/.state/.gitignore', '.op-sdk/.state/upgrade.json'],
    kills: 12,
  },
  'generate helm': {
    argv: ['generate', 'helm', '--package', '--image', 'registry.example.com/team/web:v7'],
    prepare(project) {
      old.done(project.folder, 'generate helm');
      project.edit(chartFile, 'spec:', '# mine\nspec:');
      project.edit('chart/values.yaml', 'podLabels: {}', 'podLabels: { team: web }');
      project.edit('config/manager/manager.yaml', 'periodSeconds: 20', 'periodSeconds: 30');
      // Its object is left out of the chart.
      project.edit('config/default/kustomization.yaml', '- ../network-policy\n', '');
    },
    code: 0,
    shown: '',
    kills: 16,
    fewKills: 3,
  },
  'generate helm of a chart with a conflict': {
    argv: ['generate', 'helm'],
    prepare(project) {
      old.done(project.folder, 'generate helm');
      project.edit(chartFile, 'periodSeconds: 20', 'periodSeconds: 25');
      project.edit('config/manager/manager.yaml', 'periodSeconds: 20', 'periodSeconds: 30');
    },
    code: 1,
    shown: 'chart/conflict',
    kills: 8,
  },
};

/** Creates the project of a scene. @returns its folder */
function startOf({ prepare }: Scene, place: string): string {
  const folder = join(place, 'web-operator');
  mkdirSync(join(folder, '.op-sdk'), { recursive: true });
  const spec = 'file:.op-sdk/opsdk-1.0.0.tgz';
  old.done(folder, `init --domain example.com --skip-install --opsdk ${spec}`);
  cpSync(archiveOf('1.0.0'), join(folder, '.op-sdk/opsdk-1.0.0.tgz'));
  old.installIn(folder);
  old.done(folder, 'create api --group web --version v1 --kind Nginx');
  const project = new ProjectInGit(folder);
  prepare(project);
  project.git('init', '--quiet');
  project.commit('scaffold');
  return folder;
}

/** The files that count: those of git are its own, and what is installed is a link. */
const filesIn = (folder: string): Record<string, string> => treeOf(folder, ['.git', 'node_modules']);

class Trial {
  readonly #scene: Scene;
  readonly #start: string;
  readonly #folder: string;

  constructor(scene: Scene, place: string) {
    this.#scene = scene;
    this.#start = startOf(scene, join(place, 'start'));
    this.#folder = `${place}/web-operator`;
  }

  /** Each trial has the same folder, so that all are the same request. */
  startOver(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    cpSync(this.#start, this.#folder, { recursive: true, verbatimSymlinks: true });
  }

  run(how: { readonly at?: number; readonly isTorn?: boolean } = {}): Promise<CountedEnd> {
    return runCounted(this.#command(this.#scene.argv), how);
  }

  /** Runs another command. */
  other(argv: readonly string[]): Promise<CountedEnd> {
    return runCounted(this.#command(argv));
  }

  edit(path: string, change: (text: string) => string): void {
    const file = join(this.#folder, path);
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, change(before));
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  }

  files(): Record<string, string> {
    return filesIn(this.#folder);
  }

  #command(argv: readonly string[]): CountedCommand {
    return { program: join(old.root, 'bin/op-sdk.js'), argv, cwd: this.#folder, env };
  }
}

// A kill takes some seconds, and a machine may be busy.
describe('a command that is killed before a change of a file', { timeout: 3_600_000 }, () => {
  const run = Object.entries(scenes).filter(([, { fewKills }]) => isThorough || fewKills !== undefined);
  test.each(run)('%s: is finished or undone by the next run', async (name, scene) => {
    const trial = new Trial(scene, join(scratch, name.replaceAll(' ', '-')));
    trial.startOver();
    const whole = await trial.run();
    expect(whole.code, whole.stderr).toBe(scene.code);
    expect(whole.stderr).toContain(scene.shown);
    const finished = trial.files();
    expect(Object.keys(finished).filter((path) => path.split('/').some(isTemporary))).toEqual(
      scene.left ?? [],
    );

    const random = createRandom(Number(process.env['FC_SEED'] ?? 20_261));
    const points = whole.changes.map((change, index) => ({ at: index + 1, change }));
    const drawn = random.shuffle(points).slice(0, isThorough ? scene.kills : scene.fewKills);
    for (const { at, change } of drawn) {
      const place = `${name}: killed before change ${at} of ${points.length}, ${change}`;
      trial.startOver();
      const killed = await trial.run({ at, isTorn: random.chance(0.5) });
      expect(killed.code, `${place}\n${killed.stderr}`).toBe(null);
      if (random.chance(0.25)) {
        const other = await trial.other(changesNothing);
        expect(other.code, `${place}\n${other.stderr}`).toBe(0);
      }
      const again = await trial.run();
      expect(again.code, `${place}\n${killed.stderr}\n${again.stderr}`).toBe(scene.code);
      expect(killed.stderr + again.stderr, place).toContain(scene.shown);
      expect(trial.files(), place).toEqual(finished);
    }
    console.log(`${name}: ${drawn.length} kills of ${points.length}`);
  });
});

test('an upgrade with a conflict goes on when the conflict is resolved', async () => {
  const trial = new Trial(scenes['upgrade with a conflict'] as Scene, join(scratch, 'resolved'));
  trial.startOver();
  for (const run of [await trial.run(), await trial.run()]) {
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toContain('upgrade/conflict');
  }
  const check = await trial.other([...upgrade, '--check']);
  expect([check.code, check.stderr]).toEqual([1, expect.stringContaining('upgrade/unfinished')]);
  trial.edit('config/manager/manager.yaml', (text) =>
    text.replace(/<<<<<<< edited\n([^]*?)=======\n[^]*?>>>>>>> op-sdk\n/, '$1'),
  );
  const last = await trial.run();
  expect(last.code, last.stderr).toBe(0);
  expect(last.stderr).toContain('generate manifests');
  expect(Object.keys(trial.files()).filter((path) => path.startsWith('.op-sdk/.state'))).toEqual([]);
  const after = await trial.other([...upgrade, '--check']);
  expect([after.code, after.stderr]).toEqual([0, expect.stringContaining('has the scaffolds')]);
});

const isTemporary = (name: string): boolean => name !== '.op-sdk' && (isLeftover(name) || name === '.state');
