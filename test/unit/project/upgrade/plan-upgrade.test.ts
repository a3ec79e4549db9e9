import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planUpgrade, type PlannedUpgrade } from '../../../../src/project/upgrade/plan-upgrade.ts';
import { textEntry } from '../../../helpers/text-entry.ts';

type Files = Readonly<Record<string, string>>;

interface Case {
  readonly base?: Files;
  readonly next?: Files;
  readonly project?: Files;
  readonly isKnown?: boolean;
  readonly rewrite?: (path: string, text: string) => string;
}

function plan({
  base = {},
  next = {},
  project = {},
  isKnown = true,
  rewrite,
}: Case): Promise<PlannedUpgrade> {
  return planUpgrade({
    base: new Map(Object.entries(base)),
    next: new Map(Object.entries(next)),
    look: (path) => Promise.resolve(textEntry(path, project[path])),
    isKnown: () => isKnown,
    ...(rewrite === undefined ? {} : { rewrite, sources: new Map(Object.entries(project)) }),
  });
}

/** The plan in words: changes, then the codes of findings and the number of notes. */
async function outcome(given: Case): Promise<readonly string[]> {
  const { changes, conflicts, warnings, notes } = await plan(given);
  return [
    ...changes.map((change) =>
      'content' in change ? `${change.action} ${String(change.content)}` : change.action,
    ),
    ...[...conflicts, ...warnings].map(({ code }) => code),
    ...notes.map(() => 'note'),
  ];
}

const old = 'a\nb\nc\nd\n';
const renewed = 'a\nB\nc\nd\n';
const edited = 'a\nb\nc\nd\ne\n';

test('a file that has marks already is not merged, whichever of them are left', async () => {
  const begin = `<<<<<<< edited\n${old}`;
  const end = `${edited}>>>>>>> op-sdk\n`;
  const files = (text: string): Files => ({ f: text, g: text });
  const project = { f: begin, g: end };
  await expect(plan({ base: files(old), next: files(renewed), project })).rejects.toMatchObject({
    findings: [
      { code: 'upgrade/conflict', where: { file: 'f', line: 1 } },
      { code: 'upgrade/conflict', where: { file: 'g', line: 6 } },
    ],
  });
  expect(await outcome({ base: files(old), next: files(old), project })).toEqual(['unchanged', 'unchanged']);
});

describe('a scaffolded file', () => {
  test.each<[string, string | undefined, string | undefined, string | undefined, readonly string[]]>([
    ['replaced if nobody edited it', old, old, renewed, [`update ${renewed}`]],
    ['merged if somebody edited it', old, edited, renewed, ['update a\nB\nc\nd\ne\n']],
    ['left alone if nothing is new', old, edited, old, ['unchanged']],
    ['left alone if it is as the new version writes it', old, renewed, renewed, ['unchanged']],
    ['left deleted', old, undefined, renewed, ['note']],
    ['left deleted, without a word if nothing is new', old, undefined, old, []],
    ['deleted if the new version has none', old, old, undefined, ['delete']],
    [
      'kept if it was edited and the new version has none',
      old,
      edited,
      undefined,
      ['upgrade/no-longer-scaffolded'],
    ],
    ['gone on both sides', old, undefined, undefined, []],
    ['created where the path is free', undefined, undefined, renewed, [`create ${renewed}`]],
    ['kept where somebody has another', undefined, edited, renewed, ['upgrade/path-taken']],
    ['the same where somebody has it already', undefined, renewed, renewed, ['unchanged']],
    [
      'marked where both changed the same line',
      old,
      'a\nx\nc\nd\n',
      renewed,
      ['update a\n<<<<<<< edited\nx\n=======\nB\n>>>>>>> op-sdk\nc\nd\n', 'upgrade/conflict'],
    ],
    ['replaced with the line ends that it has', 'a\nb\n', 'a\r\nb\r\n', 'a\nc\n', ['update a\r\nc\r\n']],
    ['the same with other line ends', 'a\n', 'a\r\n', 'a\n', ['unchanged']],
  ])('is %s', async (_words, base, project, next, expected) => {
    const files = (text: string | undefined): Files => (text === undefined ? {} : { f: text });
    expect(await outcome({ base: files(base), project: files(project), next: files(next) })).toEqual(
      expected,
    );
  });

  test('of unknown origin is only reported, or replaced if it is as the old version writes it', async () => {
    const unknown = { base: { f: old }, next: { f: renewed }, isKnown: false };
    expect(await outcome({ ...unknown, project: { f: edited } })).toEqual(['upgrade/unknown-origin']);
    expect(await outcome({ ...unknown, project: { f: old } })).toEqual([`update ${renewed}`]);
    expect(await outcome({ ...unknown, next: { f: old }, project: { f: edited } })).toEqual(['unchanged']);
  });

  test('is followed if it now comes from the new version', async () => {
    const { followed } = await plan({
      base: { same: old, merged: old, kept: old, gone: old },
      next: { same: old, merged: renewed, fresh: 'z\n', taken: old },
      project: { same: edited, merged: edited, kept: edited, taken: edited },
    });
    expect([...followed].sort()).toEqual(['fresh', 'merged', 'same']);
  });
});

describe('a file that the new version scaffolds under another name', () => {
  const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
  const before = lines('a', 'b', 'c', 'd', 'e');
  const after = lines('a', 'b', 'c', 'd', 'E');
  const mine = lines('a', 'mine', 'b', 'c', 'd', 'e');

  test('is renamed with its edits', async () => {
    const { changes, warnings, conflicts, notes, followed } = await plan({
      base: { 'src/a.ts': before },
      next: { 'src/b.ts': after },
      project: { 'src/a.ts': mine },
    });
    expect(changes).toEqual([
      { action: 'delete', path: 'src/a.ts', before: mine },
      {
        ...{ action: 'create', path: 'src/b.ts', executable: false },
        content: lines('a', 'mine', 'b', 'c', 'd', 'E'),
      },
    ]);
    expect([warnings, conflicts, notes]).toEqual([[], [], ['renamed src/a.ts → src/b.ts']]);
    expect([...followed]).toEqual(['src/b.ts']);
  });

  test.each<[string, Case, readonly string[]]>([
    [
      'is renamed without edits too, with its line ends',
      { project: { a: before.replaceAll('\n', '\r\n') } },
      ['delete', `create ${after.replaceAll('\n', '\r\n')}`, 'note'],
    ],
    [
      'has marks under its new name where both sides have changed a line',
      { project: { a: before.replace('e', 'mine') } },
      [
        'delete',
        'create a\nb\nc\nd\n<<<<<<< edited\nmine\n=======\nE\n>>>>>>> op-sdk\n',
        'upgrade/conflict',
        'note',
      ],
    ],
    [
      'stays where the project has a file of the new name',
      { project: { a: mine, b: 'x\n' } },
      ['upgrade/no-longer-scaffolded', 'upgrade/path-taken'],
    ],
    [
      'stays if less than 60 % of its lines are the same',
      { next: { b: lines('a', 'b', 'x', 'y', 'z') }, project: { a: mine } },
      ['create a\nb\nx\ny\nz\n', 'upgrade/no-longer-scaffolded'],
    ],
    [
      'is renamed if 60 % of its lines are the same',
      { next: { b: lines('a', 'b', 'c', '', 'y', 'z') }, project: { a: before } },
      ['delete', 'create a\nb\nc\n\ny\nz\n', 'note'],
    ],
    [
      'stays if it is unknown how it was made',
      { project: { a: mine }, isKnown: false },
      [`create ${after}`, 'upgrade/no-longer-scaffolded'],
    ],
    ['stays deleted where somebody has deleted the old one', { project: {} }, ['note']],
    [
      'is a new file where it is unknown whether the old one was there',
      { project: {}, isKnown: false },
      [`create ${after}`],
    ],
    [
      'is no new name of a file that is still scaffolded',
      { next: { a: before, b: after }, project: { a: mine } },
      ['unchanged', `create ${after}`],
    ],
  ])('%s', async (_words, given, expected) => {
    expect(await outcome({ base: { a: before }, next: { b: after }, ...given })).toEqual(expected);
  });

  test('in upper and lower case only is renamed, however much of it is new', async () => {
    const { changes, notes } = await plan({
      base: { 'AGENTS.md': 'a\nb\n' },
      next: { 'agents.md': 'x\nb\ny\nz\n' },
      project: { 'AGENTS.md': 'a\nb\nmine\n' },
    });
    expect(notes).toEqual(['renamed AGENTS.md → agents.md']);
    expect(changes).toMatchObject([{ action: 'delete' }, { action: 'create', path: 'agents.md' }]);
  });

  test.each([
    ['a\n', 'a\n', 'a\n', []],
    ['a\n', 'a\n', 'z\n', [{ action: 'update', path: 'agents.md', content: 'z\n', before: 'a\n' }]],
    ['a\nb\n', 'a\nb\nmine\n', 'z\nb\n', [{ action: 'update', content: 'z\nb\nmine\n' }]],
  ])(
    'is not deleted by a disk on which the names are one: %j, %j, %j',
    async (old, mine, fresh, expected) => {
      const { changes, notes, followed } = await planUpgrade({
        base: new Map([['AGENTS.md', old]]),
        next: new Map([['agents.md', fresh]]),
        look: () => Promise.resolve(textEntry('AGENTS.md', mine)),
        isKnown: () => true,
      });
      expect(changes.filter(({ action }) => action !== 'unchanged')).toMatchObject(expected);
      expect(notes).toEqual([
        'AGENTS.md is now scaffolded as agents.md, which is the same name on your disk.',
      ]);
      expect([...followed]).toEqual(['agents.md']);
    },
  );

  test('stays two files where the project has both in another case', async () => {
    const found = await outcome({
      base: { 'AGENTS.md': 'a\n' },
      next: { 'agents.md': 'b\n' },
      project: { 'AGENTS.md': 'a\n', 'agents.md': 'mine\n' },
    });
    expect(found).toEqual(['delete', 'upgrade/path-taken']);
  });

  test('is the most similar one, once', async () => {
    const { notes, changes } = await plan({
      base: { one: before, two: lines('a', 'b', 'c', 'd', 'x') },
      next: { near: lines('a', 'b', 'c', 'd', 'y'), same: before },
      project: { one: mine, two: lines('a', 'b', 'c', 'd', 'x') },
    });
    expect(notes).toEqual(['renamed one → same', 'renamed two → near']);
    expect(changes.find(({ path }) => path === 'same')).toMatchObject({ content: mine });
  });

  describe('and that is a manifest', () => {
    const binding = (name: string, role: string): string =>
      lines(
        '# Lets the API server ask who may read.',
        'apiVersion: rbac.authorization.k8s.io/v1',
        'kind: ClusterRoleBinding',
        ...['metadata:', `  name: ${name}`],
        ...['roleRef:', '  apiGroup: rbac.authorization.k8s.io', '  kind: ClusterRole', `  name: ${role}`],
        ...['subjects:', '- kind: ServiceAccount', '  name: controller-manager'],
      );
    const from = 'config/metrics/auth_binding.yaml';
    const to = 'config/rbac/audit_binding.yaml';
    const project = { [from]: `${binding('auth', 'auth')}- kind: User\n  name: me\n` };

    test('is another file where its object has another name', async () => {
      const next = { [to]: binding('audit', 'audit') };
      const found = await plan({ base: { [from]: binding('auth', 'auth') }, next, project });
      expect(found.notes).toEqual([]);
      expect(found.changes).toEqual([{ action: 'create', path: to, content: next[to] }]);
      expect(found.warnings).toMatchObject([{ code: 'upgrade/no-longer-scaffolded', where: { file: from } }]);
    });

    test('is renamed where its object is the same', async () => {
      const next = { [to]: binding('auth', 'auth').replace('kind: ServiceAccount', 'kind: Group') };
      const { notes } = await plan({ base: { [from]: binding('auth', 'auth') }, next, project });
      expect(notes).toEqual([`renamed ${from} → ${to}`]);
    });
  });

  test.each([
    ['a.ts', 'b.ts', ['// 1', '/**', ' * 2', ' */', '// 3'], false],
    ['a.yaml', 'b.yaml', ['# 1', '# 2', '# 3', '  # 4', '# 5'], false],
    ['Makefile', 'Justfile', ['# 1', '# 2', '# 3', '# 4', '# 5'], false],
    ['A.md', 'B.md', ['# 1', '# 2', '# 3', '# 4', '# 5'], true],
  ])('%s is not %s for their common comments, but for headings', async (from, to, common, isRenamed) => {
    const { notes } = await plan({
      base: { [from]: lines(...common, 'x: 1') },
      next: { [to]: lines(...common, 'y: 1') },
      project: { [from]: lines(...common, 'x: 1') },
    });
    expect(notes.length).toBe(isRenamed ? 1 : 0);
  });

  test('has its renamed names there', async () => {
    const rewrite = (_path: string, text: string): string => text.replaceAll('Old', 'New');
    const found = await outcome({
      base: { a: lines('import Old', 'a', 'b', 'c') },
      next: { b: lines('import New', 'a', 'b', 'c') },
      project: { a: lines('import Old, Mine', 'a', 'b', 'c') },
      rewrite,
    });
    expect(found).toEqual(['delete', 'create import New, Mine\na\nb\nc\n', 'note']);
  });
});

describe('renamed names', () => {
  const rewrite = (_path: string, text: string): string => text.replaceAll('Old', 'New');

  test('are no conflict with what the new version scaffolds', async () => {
    const base = { f: 'import Old\nuse Old\nx\n' };
    const next = { f: 'import New\nuse New\ny\n' };
    const project = { f: 'import Old, Mine\nuse Old\nx\n' };
    expect(await outcome({ base, next, project, rewrite })).toEqual([
      'update import New, Mine\nuse New\ny\n',
    ]);
  });

  test('are renamed in files that are otherwise left alone', async () => {
    const same = { f: 'Old\n', other: 'z\n' };
    const project = { f: 'Old\nmine Old\n', mine: 'use Old\n', other: 'z\n' };
    const { changes } = await plan({ base: same, next: same, project, rewrite });
    expect(changes).toEqual([
      { action: 'update', path: 'f', content: 'New\nmine New\n', before: project.f },
      { action: 'update', path: 'mine', content: 'use New\n', before: project.mine },
      { action: 'unchanged', path: 'other' },
    ]);
  });
});

describe('random edits', () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '  x', '# y', '}');
  const lines = fc.array(line, { maxLength: 12 });
  /** Edits of lines, each marked so that it is found again. */
  const edits = fc.array(
    fc.record({ at: fc.nat(12), remove: fc.nat(3), insert: fc.array(fc.nat(99), { maxLength: 3 }) }),
    { maxLength: 4 },
  );

  test('lose no edited line, and a second run changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, edits, fc.boolean(), async (base, next, changes, isKnown) => {
        const project: string[] = [...base];
        const mine: string[] = [];
        for (const [index, { at, remove, insert }] of changes.entries()) {
          const written = insert.map((value, position) => `mine ${index} ${position} ${value}`);
          project.splice(at, remove, ...written);
        }
        mine.push(...project.filter((each) => each.startsWith('mine ')));
        const texts = { base: base.join('\n'), next: next.join('\n'), project: project.join('\n') };
        const first = await plan({
          ...{ base: { f: texts.base }, next: { f: texts.next }, project: { f: texts.project }, isKnown },
        });
        const [change] = first.changes;
        const after = change?.action === 'update' ? String(change.content) : texts.project;
        const kept = after.split('\n').filter((each) => each.startsWith('mine '));
        expect(kept).toEqual(mine);
        expect(first.conflicts.length > 0).toBe(after.includes('<<<<<<< edited'));
        const second = await plan({
          ...{ base: { f: texts.next }, next: { f: texts.next }, project: { f: after } },
        });
        expect(second.changes).toEqual([{ action: 'unchanged', path: 'f' }]);
      }),
    );
  });
});
