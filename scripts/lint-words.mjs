// Openings of doc comments, and subjects of commits: `npm run lint` runs it. Prints a line for each that breaks a rule.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/run.mjs';
import { handWrittenSources } from './lib/source-files.mjs';

/** A comment is imperative or begins with its subject. */
const opening = /^(?:What|Whether|Who|Whose|Of|That|Those|How)\b/;

/** Commits up to this one have no rule. */
const lastWithoutRule = 'bb70359c';
const mostCharacters = 72;
const subject = /^(?:[a-z0-9-]+(?:, [a-z0-9-]+)*: [a-z0-9]|Merge )/;

const findings = [...openings(), ...subjectsOf()];
for (const finding of findings) console.log(finding);
console.log(`${findings.length} found`);
if (findings.length > 0) process.exitCode = 1;

function* openings() {
  for (const path of handWrittenSources()) {
    const text = readFileSync(join(root, 'src', path), 'utf8');
    for (const { 1: first, index } of text.matchAll(/\/\*\*[ \t]*(?:\r?\n[ \t]*\*[ \t]*)?([^\r\n]*)/g)) {
      if (!opening.test(first)) continue;
      const line = text.slice(0, index).split('\n').length;
      yield `src/${path}:${line}: expected an imperative or the subject first, got: ${first}`;
    }
  }
}

/** Subjects of the commits since the rule; none where the history does not reach back to it. */
function subjectsOf() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  let log;
  try {
    log = git('log', '--format=%h %s', `${lastWithoutRule}..HEAD`);
  } catch {
    console.log(`commits are not checked: ${lastWithoutRule} is not in the history`);
    return [];
  }
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ text }) => text.length > mostCharacters || !subject.test(text))
    .map(
      ({ hash, text }) =>
        `commit ${hash}: expected "area: what" of at most ${mostCharacters} characters, got: ${text}`,
    );
}
