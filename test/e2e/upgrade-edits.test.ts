// Random edits of files that two versions of op-sdk have really scaffolded, and how an upgrade merges them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedCommands } from '../../src/project/project/index.ts';
import { mergePackageJson } from '../../src/project/upgrade/merge-package-json.ts';
import { planUpgrade, type PlannedUpgrade } from '../../src/project/upgrade/plan-upgrade.ts';
import { replay } from '../../src/project/upgrade/replay.ts';
import { OpsdkVersion } from '../helpers/opsdk-versions.ts';
import { ProjectInGit } from '../helpers/project-in-git.ts';
import { createRandom, type Random } from '../helpers/random.ts';
import { textEntry } from '../helpers/text-entry.ts';
import { isThorough } from '../helpers/thorough.ts';

type Files = ReadonlyMap<string, string>;

let scratch = '';
let base: Files;
let next: Files;

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-upgrade-edits-')));
  const old = new OpsdkVersion(join(scratch, 'old'), '1.0.0');
  const target = alteredVersion();
  const project = join(scratch, 'web-operator');
  mkdirSync(project);
  old.done(
    project,
    'init --domain example.com --skip-install --opsdk ~1.0.0',
    'create api --group web --version v1 --kind Nginx',
    'create webhook --group web --version v1 --kind Nginx --defaulting --programmatic-validation --cert-provider self-signed',
    'create api --group web --version v2 --kind Nginx --storage',
    'create webhook --group web --version v2 --kind Nginx --conversion --cert-provider self-signed',
  );
  const runs = recordedCommands(new ProjectInGit(project).read('PROJECT')) ?? [];
  expect(runs).toHaveLength(5);
  const again = async (pkg: OpsdkVersion): Promise<Files> => {
    const folder = join(scratch, 'copies', pkg.version);
    const { signal } = new AbortController();
    const { files, failed } = await replay(pkg, {
      runs,
      project,
      folder,
      spec: '~1.0.0',
      env: process.env,
      signal,
    });
    expect([...failed]).toEqual([]);
    return files;
  };
  [base, next] = await Promise.all([again(old), again(target)]);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A version with changes of all kinds: lines added, changed and removed, files added, renamed and left out. */
function alteredVersion(): OpsdkVersion {
  const added = (text: string): string => `# Version 1.1.0\n${text}`;
  return new OpsdkVersion(join(scratch, 'next'), '1.1.0')
    .rename('templates/init/AGENTS.md.hbs', 'templates/init/GUIDE.md.hbs')
    .edit('templates/init/GUIDE.md.hbs', added)
    .remove('templates/init/.devcontainer/devcontainer.json.hbs')
    .edit('templates/init/Dockerfile.hbs', added)
    .edit('templates/init/README.md.hbs', (text) => text.replace(/\n\n/, '\n\nMore.\n\n'))
    .edit('templates/init/Makefile.hbs', (text) => `${text}\n.PHONY: more\nmore:\n\techo more\n`)
    .edit('templates/init/package.json.hbs', (text) =>
      text.replace('"scripts": {', '"scripts": {\n    "hello": "echo hello",'),
    )
    .edit('templates/init/config/manager/manager.yaml.hbs', (text) =>
      text.replace('periodSeconds: 20', 'periodSeconds: 15').replace(/ *# With --leader-elect[^\n]*\n/, ''),
    )
    .edit('templates/init/src/main.ts.hbs', (text) => text.replaceAll('operatorMain', 'runOperator'))
    .edit('templates/api/src/api/__group__/__version__/__kind__.ts.hbs', (text) =>
      text.replace('  foo?: string;', '  foo?: string;\n  /** Bar is new. */\n  bar?: string;'),
    )
    .edit('templates/controller/src/controllers/__group__/__kind__.ts.hbs', (text) =>
      text
        .replace("'Reconciled', 'The operator", "'Seen', 'The operator")
        .replace(/ *\/\/ Called when reconcile[^\n]*\n/, ''),
    );
}

/** A project with random edits, and what they were. */
interface Edited {
  readonly files: ReadonlyMap<string, string>;
  /** Lines that somebody has added or changed, by their files. Each is there once. */
  readonly mine: ReadonlyMap<string, readonly string[]>;
  readonly deleted: ReadonlySet<string>;
}

function editAtRandom(random: Random): Edited {
  const files = new Map(base);
  const mine = new Map<string, string[]>();
  const deleted = new Set<string>();
  const own = (path: string): string => {
    const line = `mine ${mine.get(path)?.length ?? 0} of ${path}`;
    mine.set(path, [...(mine.get(path) ?? []), line]);
    return line;
  };
  files.delete('package.json');
  const changing = [...files].filter(([path, text]) => next.get(path) !== text).map(([path]) => path);
  for (let count = random.integer(1, 12); count > 0; count--) {
    const path = random.pick(random.chance(0.7) ? changing : [...files.keys()]);
    const text = files.get(path);
    if (text === undefined) continue;
    if (random.chance(0.05)) {
      files.delete(path);
      mine.delete(path);
      deleted.add(path);
      continue;
    }
    const lines = text.split('\n');
    const at = random.integer(0, lines.length - 1);
    const isOwn = lines[at]?.startsWith('mine ') === true;
    const edit = random.pick(['insert', 'change', 'delete', 'append'] as const);
    if (edit === 'append') files.set(path, `${text}${text.endsWith('\n') ? '' : '\n'}${own(path)}\n`);
    else if (edit === 'insert') files.set(path, lines.toSpliced(at, 0, own(path)).join('\n'));
    else if (!isOwn)
      files.set(path, lines.toSpliced(at, 1, ...(edit === 'change' ? [own(path)] : [])).join('\n'));
  }
  return { files, mine, deleted };
}

/** The plan, and the files when it is carried out. */
async function upgraded(
  files: Files,
  from: Files,
): Promise<PlannedUpgrade & { readonly after: ReadonlyMap<string, string> }> {
  const without = (all: Files): Files => new Map([...all].filter(([path]) => path !== 'package.json'));
  const plan = await planUpgrade({
    ...{ base: without(from), next: without(next), isKnown: () => true },
    look: (path) => Promise.resolve(textEntry(path, files.get(path))),
  });
  const after = new Map(files);
  for (const change of plan.changes) {
    if (change.action === 'delete') after.delete(change.path);
    else if (change.action !== 'unchanged') after.set(change.path, String(change.content));
  }
  return { ...plan, after };
}

/** Lines outside of marked conflicts, and how often each is there. */
function settledLines(text: string): ReadonlyMap<string, number> {
  return countsOf(text.replaceAll(/^<<<<<<< edited\n[^]*?^>>>>>>> op-sdk$/gm, ''));
}

function countsOf(text: string | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text?.split('\n') ?? [])
    if (line.trim() !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

const renamedFrom: ReadonlyMap<string, string> = new Map([['GUIDE.md', 'AGENTS.md']]);

const count = isThorough ? 2000 : 200;

test(`${count} random edits of scaffolded files are kept, and nothing that was deleted comes back`, async () => {
  const random = createRandom(Number(process.env['FC_SEED'] ?? 20_262));
  const seen = { conflicts: 0, merged: 0, renamed: 0 };
  for (let round = 0; round < count; round++) {
    const { files, mine, deleted } = editAtRandom(random);
    const { after, conflicts, changes, notes } = await upgraded(files, base);
    const place = (path: string): string => `round ${round}, ${path}`;
    seen.conflicts += conflicts.length;
    for (const path of deleted) expect(after.has(path), place(path)).toBe(false);
    for (const [to, from] of renamedFrom) expect(after.has(to), place(to)).toBe(!deleted.has(from));
    for (const [path, text] of after) {
      const origin = files.has(path) ? path : (renamedFrom.get(path) ?? path);
      const edited = files.get(origin);
      const lines = text.split('\n');
      for (const line of mine.get(origin) ?? [])
        expect(
          lines.filter((each) => each === line),
          place(path),
        ).toEqual([line]);
      expect(text.includes('<<<<<<< edited'), place(path)).toBe(
        conflicts.some(({ where }) => where !== undefined && 'file' in where && where.file === path),
      );
      if (edited === undefined || edited === base.get(origin))
        expect([next.get(path), base.get(path)], place(path)).toContain(text);
      const [before, from, to] = [countsOf(edited), countsOf(base.get(origin)), countsOf(next.get(path))];
      for (const [line, times] of settledLines(text)) {
        const news = Math.max(0, (to.get(line) ?? 0) - (from.get(line) ?? 0));
        const allowed = edited === undefined ? times : (before.get(line) ?? 0) + news;
        expect(times, `${place(path)}: ${line}`).toBeLessThanOrEqual(allowed);
      }
      if (edited !== base.get(origin) && text !== edited) seen.merged += 1;
    }
    if (notes.some((note) => note.startsWith('renamed '))) seen.renamed += 1;
    const second = await upgraded(after, next);
    expect(second.after).toEqual(after);
    expect(changes.length).toBeGreaterThan(0);
  }
  // The edits meet what the new version changes.
  for (const found of Object.values(seen)) expect(found).toBeGreaterThan(count / 10);
  console.log(`${count} projects:`, seen);
});

test('random edits of entries of package.json are kept, and nothing that was removed comes back', () => {
  const random = createRandom(Number(process.env['FC_SEED'] ?? 20_263));
  const [from, to] = [base.get('package.json') ?? '', next.get('package.json') ?? ''];
  type Manifest = Record<string, Record<string, string>>;
  for (let round = 0; round < count; round++) {
    const edited = JSON.parse(from) as Manifest;
    const removed: [section: string, name: string][] = [];
    const mine: [section: string, name: string, value: string][] = [];
    for (let edits = random.integer(1, 6); edits > 0; edits--) {
      const section = random.pick(['scripts', 'dependencies', 'devDependencies']);
      const entries = (edited[section] ??= {});
      const name = random.chance(0.4)
        ? `mine-${edits}`
        : random.pick([...Object.keys(entries), `mine-${edits}`]);
      if (name.startsWith('mine-') || random.chance(0.5)) {
        entries[name] = `mine ${round}`;
        mine.push([section, name, entries[name]]);
      } else if (!mine.some(([where, what]) => where === section && what === name)) {
        Reflect.deleteProperty(entries, name);
        removed.push([section, name]);
      }
    }
    const text = JSON.stringify(edited, null, 2);
    const merged = mergePackageJson({ base: from, edited: text, generated: to });
    const after = JSON.parse(merged.text) as Manifest;
    for (const [section, name, value] of mine) expect(after[section]?.[name], merged.text).toBe(value);
    for (const [section, name] of removed)
      if (!mine.some(([where, what]) => where === section && what === name))
        expect(after[section], merged.text).not.toHaveProperty([name]);
    expect(after['scripts']?.['hello']).toBe('echo hello');
    expect(mergePackageJson({ base: to, edited: merged.text, generated: to }).text).toBe(merged.text);
  }
});
