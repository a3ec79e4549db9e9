// What a release needs: every piece that is missing is named, all at once.
import { expect, test } from 'vitest';
import { addressKeys, missingForRelease, notesOf } from '../../../scripts/lib/release-check.mjs';

const repository = { type: 'git', url: 'git+https://git.example.com/team/opsdk.git' };
const changelog = '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- Something.\n\n## 0.1.0\n\n- First.\n';
const complete = {
  manifest: { version: '0.2.0-dev', repository },
  createManifest: { version: '0.2.0-dev' },
  changelog,
};

test('a complete release misses nothing', () => {
  expect(missingForRelease('0.2.0', complete)).toEqual([]);
});

test.each([
  ['no repository', '0.2.0', { manifest: { version: '0.2.0-dev' } }, 'names no repository'],
  [
    'an address that npm cannot match',
    '0.2.0',
    { manifest: { version: '0.2.0-dev', repository: { url: 'team/opsdk' } } },
    'names no repository',
  ],
  ['a version that is no release', '0.2.0-rc.1', {}, 'is not a release'],
  ['no version', '', {}, 'is not a release'],
  [
    'a release in package.json',
    '0.2.0',
    { manifest: { version: '0.2.0', repository } },
    'between releases it is a prerelease',
  ],
  ['another version', '0.3.0', {}, 'does not lead to 0.3.0'],
  [
    'create-opsdk of another version',
    '0.2.0',
    { createManifest: { version: '0.1.0-dev' } },
    'released together',
  ],
  ['no notes', '0.2.0', { changelog: '## Unreleased\n\n- Something.\n' }, 'no heading "## 0.2.0"'],
  ['empty notes', '0.2.0', { changelog: '## 0.2.0\n\n## 0.1.0\n\n- First.\n' }, 'says nothing below'],
])('%s is named', (_what, version, change, words) => {
  const missing = missingForRelease(version, { ...complete, ...change });
  expect(missing.join('\n')).toContain(words);
});

test('all that is missing is named at once', () => {
  const missing = missingForRelease('1.0.0', {
    manifest: { version: '0.2.0-dev' },
    createManifest: { version: '0.1.0-dev' },
    changelog: '',
  });
  expect(missing).toHaveLength(4);
});

test('the notes of a version end at the next heading', () => {
  expect(notesOf(changelog, '0.2.0')).toBe('- Something.');
  expect(notesOf(changelog, '0.1.0')).toBe('- First.');
  expect(notesOf(changelog, '0.2')).toBeUndefined();
});

test('home page and bugs follow from the repository', () => {
  expect(addressKeys(repository, 'create-opsdk')).toEqual({
    repository: { ...repository, directory: 'create-opsdk' },
    homepage: 'https://git.example.com/team/opsdk#readme',
    bugs: { url: 'https://git.example.com/team/opsdk/issues' },
  });
});
