import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../../../src/base/util/diffs.ts';

const diff = (before: string | undefined, after: string | undefined): string =>
  unifiedDiff({ name: 'old', text: before }, { name: 'new', text: after });

test('shows changes as diff -u does', () => {
  expect(diff('a\n', 'a\n')).toBe('');
  expect(diff('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n')).toBe(
    '--- old\n+++ new\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n',
  );
  expect(diff(undefined, 'a\n')).toBe('--- /dev/null\n+++ new\n@@ -0,0 +1 @@\n+a\n');
  expect(diff('a\nb\n', undefined)).toBe('--- old\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n');
});

const text = fc
  .array(fc.constantFrom('a', 'b', '', '-', '+x', '\\ y'), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

test('makes of one text the other', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const patch = diff(before, after);
      expect(patch === '' ? before : applyPatch(before, patch)).toBe(after);
    }),
  );
});

test.skipIf(spawnSync('patch', ['--version']).status !== 0)('is what patch takes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-patch-'));
  try {
    const file = join(folder, 'old');
    for (const [before, after] of [
      ['a\nb\nc\nd\ne\nf\ng\nh\n', 'a\nB\nc\nd\ne\nf\nh\ni\n'],
      ['', 'a\n'],
      ['a\n', 'b\n'],
    ] as const) {
      writeFileSync(file, before);
      const { status, stderr } = spawnSync('patch', [file], { input: diff(before, after), encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(after);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
