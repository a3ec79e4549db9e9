// `npm run verdicts -- DIR EXPECTED`: compares the verdicts of `op-sdk bundle validate --select-optional all` with those of the reference
// validators, by the numbers of errors and warnings per bundle and validator. EXPECTED is a JSON file: the path of a bundle below DIR, then
// the validator, then a list of {"Level": "Error" | "Warning"}; a validator that is absent found nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuild } from './lib/provision.mjs';

const compared = [
  ...['csv', 'crd', 'bundle', 'operatorhub', 'operatorhubv2', 'capabilities', 'categories', 'object'],
  ...['operatorgroup', 'community', 'alpha-deprecated-apis', 'good-practices'],
];

const [dir, expectedFile] = process.argv.slice(2);
if (dir === undefined || expectedFile === undefined) {
  console.error('usage: npm run verdicts -- DIR EXPECTED');
  process.exit(2);
}
await ensureBuild();
const { validateBundle } = await import('../dist/olm/bundle/validate/validate-bundle.js');
const { offlineValidators: optional } = await import('../dist/olm/bundle/validate/rules/validators.js');
const expected = JSON.parse(readFileSync(expectedFile, 'utf8'));
let agreed = 0;
let all = 0;
for (const [name, byValidator] of Object.entries(expected)) {
  const path = join(dir, name);
  if (!existsSync(path)) {
    console.log(`${name}: missing in ${dir}`);
    continue;
  }
  const { results } = await validateBundle(path, { optional });
  for (const validator of compared) {
    const ours = counts(results.filter((result) => result.validator === validator).map(({ level }) => level));
    const theirs = counts((byValidator[validator] ?? []).map(({ Level }) => Level.toLowerCase()));
    all += 1;
    if (ours === theirs) agreed += 1;
    else console.log(`${name}: ${validator}: expected ${theirs}, got ${ours}`);
  }
}
console.log(`agree ${agreed} of ${all}`);
if (agreed !== all || all === 0) process.exitCode = 1;

function counts(levels) {
  const count = (wanted) => levels.filter((level) => level === wanted).length;
  return `${count('error')} errors and ${count('warning')} warnings`;
}
