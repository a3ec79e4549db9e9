// A merge of two branches keeps both wordings of an entry that each of them has changed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../helpers/source-files.ts';

/** Entries of a heading that begin alike, by their beginnings. */
function repeatedEntries(changelog: string): readonly string[] {
  return changelog.split(/^#{2,3} /m).flatMap((part) => {
    const beginnings = part.split('\n').flatMap((line) => (/^- .{50}/.exec(line) ?? []).slice(0, 1));
    return beginnings.filter((beginning, index) => beginnings.indexOf(beginning) !== index);
  });
}

test('CHANGELOG.md has each entry once', () => {
  expect(repeatedEntries(readFileSync(`${repositoryRoot}CHANGELOG.md`, 'utf8'))).toEqual([]);
});

test('an entry with another ending is repeated, one of another heading is not', () => {
  const entry = '- `op-sdk upgrade` brings the scaffolded files of a project';
  const changelog = `### Added\n\n${entry} along.\n\n### Fixed\n\n${entry}, too.\n${entry} as before.\n`;
  expect(repeatedEntries(changelog)).toEqual([entry.slice(0, 52)]);
});
