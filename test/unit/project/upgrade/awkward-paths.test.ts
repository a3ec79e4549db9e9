// Paths of a project at which is no plain text file. Nothing there is lost, and nothing stops the rest of an upgrade.
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlan } from '../../../../src/project/scaffold/writer.ts';
import { planUpgrade, type UpgradeRequest } from '../../../../src/project/upgrade/plan-upgrade.ts';
import { expectTextFiles, projectEntry } from '../../../../src/project/upgrade/project-entry.ts';

let outer = '';
let root = '';
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'opsdk-awkward-'));
  root = join(outer, 'project');
  await mkdir(root);
});
afterEach(() => rm(outer, { recursive: true, force: true }));

const before = 'a\nb\nc\nd\n';
const after = 'a\nB\nc\nd\n';

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** Upgrades the project on the disk. Returns the codes and the messages of the warnings. */
async function upgraded(
  files: { readonly base?: Record<string, string>; readonly next?: Record<string, string> },
  more: Partial<UpgradeRequest> = {},
): Promise<readonly string[]> {
  const { changes, warnings } = await planUpgrade({
    base: new Map(Object.entries(files.base ?? {})),
    next: new Map(Object.entries(files.next ?? {})),
    look: (path) => projectEntry(root, path),
    isKnown: () => true,
    ...more,
  });
  await applyPlan({ root, changes, removesEmptyFolders: true });
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

describe('bytes that are not UTF-8', () => {
  const latin1 = Buffer.from(`${before}# Caf\xe9\n`, 'latin1');
  const utf16 = Buffer.from(`\uFEFF${before}`, 'utf16le');

  test.each([latin1, utf16])('stay where both versions scaffold the file', async (bytes) => {
    await write('Makefile', bytes);
    await write('Dockerfile', before);
    const files = { Makefile: before, Dockerfile: before };
    expect(await upgraded({ base: files, next: { Makefile: after, Dockerfile: after } })).toEqual([
      'upgrade/cannot-merge: Makefile is not text in UTF-8, so that what the new version has changed cannot be merged into it',
    ]);
    expect(await readFile(join(root, 'Makefile'))).toEqual(bytes);
    expect(await read('Dockerfile')).toBe(after);
  });

  test('stay, without a word, where the new version changes nothing', async () => {
    await write('Makefile', latin1);
    expect(await upgraded({ base: { Makefile: before }, next: { Makefile: before } })).toEqual([]);
    expect(await readFile(join(root, 'Makefile'))).toEqual(latin1);
  });

  test('stay where the new version has another name', async () => {
    await write('AGENTS.md', latin1);
    expect(await upgraded({ base: { 'AGENTS.md': before }, next: { 'GUIDE.md': before } })).toEqual([
      'upgrade/no-longer-scaffolded: AGENTS.md is not text in UTF-8, and the new version no longer scaffolds it',
    ]);
    expect(await readFile(join(root, 'AGENTS.md'))).toEqual(latin1);
    expect(await read('GUIDE.md')).toBe(before);
  });

  test('stay in sources whose imports are renamed', async () => {
    const bytes = Buffer.from("import { Old } from 'opsdk'; // Caf\xe9\n", 'latin1');
    await write('src/mine.ts', bytes);
    const rewrite = (_path: string, text: string): string => text.replaceAll('Old', 'New');
    const sources = new Map([['src/mine.ts', bytes.toString('utf8')]]);
    expect(await upgraded({}, { rewrite, sources })).toEqual([
      expect.stringContaining('upgrade/cannot-merge: src/mine.ts is not text in UTF-8'),
    ]);
    expect(await readFile(join(root, 'src/mine.ts'))).toEqual(bytes);
  });

  test('are text with a byte order mark in UTF-8', async () => {
    await write('Makefile', `\uFEFF${before}`);
    expect(await upgraded({ base: { Makefile: before }, next: { Makefile: `${before}e\n` } })).toEqual([]);
    expect(await read('Makefile')).toBe(`\uFEFF${before}e\n`);
  });
});

describe('a symbolic link', () => {
  test.each([{ 'GUIDE.md': before }, {}])('is neither renamed nor deleted, nor its target', async (next) => {
    await write('docs/agents.md', before);
    await symlink('docs/agents.md', join(root, 'AGENTS.md'));
    expect(await upgraded({ base: { 'AGENTS.md': before }, next })).toEqual([
      'upgrade/no-longer-scaffolded: AGENTS.md is or passes through a symbolic link, and the new version no longer scaffolds it',
    ]);
    expect(await read('docs/agents.md')).toBe(before);
    expect((await lstat(join(root, 'AGENTS.md'))).isSymbolicLink()).toBe(true);
  });

  test('of a folder keeps the files of that', async () => {
    await write('deploy/rbac/role.yaml', before);
    await symlink('deploy', join(root, 'config'));
    expect(await upgraded({ base: { 'config/rbac/role.yaml': before } })).toEqual([
      expect.stringContaining('upgrade/no-longer-scaffolded: config/rbac/role.yaml'),
    ]);
    expect(await read('deploy/rbac/role.yaml')).toBe(before);
  });

  test('inside the project is followed by an update', async () => {
    await write('docs/agents.md', before);
    await symlink('docs/agents.md', join(root, 'AGENTS.md'));
    expect(await upgraded({ base: { 'AGENTS.md': before }, next: { 'AGENTS.md': after } })).toEqual([]);
    expect(await read('docs/agents.md')).toBe(after);
  });

  test.each(['../outside', 'nowhere'])('to %s is kept', async (target) => {
    await writeFile(join(outer, 'outside'), before);
    await symlink(target, join(root, 'Makefile'));
    await symlink(target, join(root, 'extra'));
    const next = { Makefile: after, extra: after, Dockerfile: after };
    expect(await upgraded({ base: { Makefile: before }, next })).toEqual([
      expect.stringContaining('upgrade/cannot-merge: Makefile is or passes through a symbolic link'),
      expect.stringContaining('upgrade/path-taken: extra is or passes through a symbolic link'),
    ]);
    expect(await readFile(join(outer, 'outside'), 'utf8')).toBe(before);
    expect(await read('Dockerfile')).toBe(after);
  });
});

test('a file that is executable stays so under its new name', async () => {
  await write('hack/run.sh', `${before}mine\n`);
  await chmod(join(root, 'hack/run.sh'), 0o755);
  await upgraded({ base: { 'hack/run.sh': before }, next: { 'hack/go.sh': after } });
  expect(await read('hack/go.sh')).toBe(`${after}mine\n`);
  expect((await stat(join(root, 'hack/go.sh'))).mode & 0o111).not.toBe(0);
});

describe('two paths of one file', () => {
  test.each([
    ['AGENTS.md', 'CLAUDE.md'],
    ['CLAUDE.md', 'AGENTS.md'],
  ])('change %s by its own name, and keep the link %s', async (file, link) => {
    await write(file, before);
    await symlink(file, join(root, link));
    const next = { [file]: after, [link]: `${after}e\n` };
    expect(await upgraded({ base: { [file]: before, [link]: before }, next })).toEqual([
      expect.stringContaining(`upgrade/cannot-merge: ${link} is a link to ${file}`),
    ]);
    expect(await read(file)).toBe(after);
  });

  test('change it once where both are links', async () => {
    await write('docs/all.md', before);
    for (const path of ['AGENTS.md', 'CLAUDE.md']) await symlink('docs/all.md', join(root, path));
    const files = { 'AGENTS.md': before, 'CLAUDE.md': before };
    expect(await upgraded({ base: files, next: { 'AGENTS.md': after, 'CLAUDE.md': 'z\n' } })).toEqual([
      expect.stringContaining('upgrade/cannot-merge: CLAUDE.md is a link to AGENTS.md'),
    ]);
    expect(await read('docs/all.md')).toBe(after);
  });
});

test('the files without which nothing can be upgraded must be text', async () => {
  await mkdir(join(root, 'package.json'));
  await write('PROJECT', Buffer.from('# Caf\xe9\n', 'latin1'));
  await expect(expectTextFiles(root, ['package.json', 'PROJECT', 'missing'])).rejects.toMatchObject({
    findings: [
      { code: 'upgrade/cannot-merge', where: { file: 'package.json' } },
      { code: 'upgrade/cannot-merge', where: { file: 'PROJECT' } },
    ],
  });
});

describe('a path that is taken', () => {
  test('by a folder or below a file is reported, and the rest is written', async () => {
    await write('GUIDE.md/mine', 'x');
    await write('extras', 'x');
    expect(await upgraded({ next: { 'GUIDE.md': after, 'extras/new': after, fine: after } })).toEqual([
      'upgrade/path-taken: GUIDE.md is a folder, and the new version scaffolds another file of this name',
      'upgrade/path-taken: extras/new has no folder, because extras is a file, and the new version scaffolds another file of this name',
    ]);
    expect(await read('fine')).toBe(after);
  });

  test('by a folder in place of a file keeps it', async () => {
    await write('Makefile/mine', 'x');
    expect(await upgraded({ base: { Makefile: before }, next: { Makefile: after } })).toEqual([
      expect.stringContaining('upgrade/cannot-merge: Makefile is a folder'),
    ]);
  });
});
