import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  forgetUnfinishedUpgrade,
  recordUnfinishedUpgrade,
  unfinishedUpgrade,
  type UnfinishedUpgrade,
} from '../../../../src/project/upgrade/index.ts';

let scratch = '';
let root = '';
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-unfinished-')));
  root = join(scratch, 'project');
  mkdirSync(join(root, '.op-sdk/.state'), { recursive: true });
});
afterEach(() => rmSync(scratch, { recursive: true }));

const marked = '<<<<<<< edited\na\n=======\nb\n>>>>>>> op-sdk\n';

/** The text of PROJECT. */
function projectOf(cliVersion: string, more = ''): string {
  return `cliVersion: ${cliVersion}\nplugins:\n  typescript.opsdk.dev/v1:\n    commands:\n    - command: init\n${more}`;
}

function record(from: string, to: string, ...conflicts: readonly string[]): Promise<() => Promise<void>> {
  const texts = { before: projectOf(from), content: projectOf(to) };
  return recordUnfinishedUpgrade(root, { version: to, conflicts }, texts);
}

/** The record that counts for a text of PROJECT. */
function foundIn(text: string): Promise<UnfinishedUpgrade | undefined> {
  const [, cliVersion = ''] = /^cliVersion: (.*)/.exec(text) ?? [];
  return unfinishedUpgrade({ root, cliVersion, text });
}

test('counts once PROJECT has its version, until it is forgotten', async () => {
  await record('1.0.0', '1.1.0');
  expect(await foundIn(projectOf('1.0.0'))).toBeUndefined();
  expect(await foundIn(projectOf('1.1.0'))).toEqual({ version: '1.1.0', conflicts: [] });
  await forgetUnfinishedUpgrade(root);
  expect(await foundIn(projectOf('1.1.0'))).toBeUndefined();
});

test('survives an upgrade whose files are not written', async () => {
  await record('1.0.0', '1.1.0');
  const before = readFileSync(join(root, '.op-sdk/.state/upgrade.json'), 'utf8');
  // As after a kill.
  await record('1.1.0', '1.2.0');
  expect(await foundIn(projectOf('1.1.0'))).toMatchObject({ version: '1.1.0' });
  const takeBack = await record('1.1.0', '1.3.0');
  expect(await foundIn(projectOf('1.1.0'))).toMatchObject({ version: '1.1.0' });
  expect(await foundIn(projectOf('1.3.0'))).toMatchObject({ version: '1.3.0' });
  await takeBack();
  expect(await foundIn(projectOf('1.3.0'))).toBeUndefined();
  expect(readFileSync(join(root, '.op-sdk/.state/upgrade.json'), 'utf8')).toBe(before);
});

test('is ignored for a PROJECT of another upgrade, unless files have its marks', async () => {
  await record('1.0.0', '1.1.0', 'Makefile');
  const pulled = projectOf('1.1.0', '    - command: create api\n');
  expect(await foundIn(pulled)).toBeUndefined();
  // The last steps of an upgrade record hashes.
  expect(await foundIn(projectOf('1.1.0', '    parts:\n      a: {b: c}\n'))).toBeDefined();
  writeFileSync(join(root, 'Makefile'), marked);
  expect(await foundIn(pulled)).toEqual({ version: '1.1.0', conflicts: ['Makefile'] });
});

test('names no file outside of the project, and no folder', async () => {
  writeFileSync(join(scratch, 'secret'), marked);
  symlinkSync('../secret', join(root, 'link'));
  mkdirSync(join(root, 'folder'));
  writeFileSync(join(root, 'Makefile'), marked);
  await record('1.0.0', '1.1.0', '../secret', join(scratch, 'secret'), 'link', 'folder', 'a\0', 'Makefile');
  expect(await foundIn(projectOf('1.1.0'))).toEqual({ version: '1.1.0', conflicts: ['Makefile'] });
});
