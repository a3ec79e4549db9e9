// The definitions of crdify's own test data: op-sdk gives crdify's verdict for each field, or one of the listed, wanted differences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeCode } from '../../../src/kubernetes/crd/diff/change-codes.ts';
import type { CrdChange } from '../../../src/kubernetes/crd/diff/change.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../src/base/util/json-map.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { wantedDifferences, type WantedDifference } from './crdify-wanted.ts';

const source = process.env['CRDIFY_SOURCE'] ?? '';
const data = join(source, 'test');
const missing =
  source === ''
    ? 'CRDIFY_SOURCE names no checkout of crdify'
    : existsSync(data)
      ? undefined
      : `CRDIFY_SOURCE: ${data} is missing`;
if (missing !== undefined) console.log(`skipped: definitions beside crdify's: ${missing}`);

const cases =
  missing === undefined
    ? readdirSync(data)
        .filter((name) => existsSync(join(data, name, 'expected.json')))
        .sort()
    : [];

/** The codes that say what a validation of crdify says. Each that it has in its test data is here. */
const codesOf: Readonly<Record<string, readonly ChangeCode[]>> = {
  default: ['default-added', 'default-changed', 'default-removed'],
  description: ['documentation'],
  enum: ['enum-added', 'enum-removed', 'enum-value-added', 'enum-value-removed'],
  existingFieldRemoval: ['field-removed'],
  maximum: ['bound-tightened'],
  maxItems: ['bound-tightened'],
  maxLength: ['bound-tightened'],
  maxProperties: ['bound-tightened'],
  minimum: ['bound-tightened'],
  minItems: ['bound-tightened'],
  minLength: ['bound-tightened'],
  minProperties: ['bound-tightened'],
  nullable: ['nullable-added', 'nullable-removed'],
  pattern: ['pattern-added', 'pattern-changed', 'pattern-removed'],
  required: ['required-added', 'required-added-with-default', 'required-field-added'],
  scope: ['scope-changed'],
  type: ['type-changed', 'type-widened'],
  unhandled: ['type-changed'],
};

interface CrdifyError {
  readonly validation: string;
  /** `.spec.size`; '' for what is about the definition. */
  readonly path: string;
}

function crdifyErrors(name: string): readonly CrdifyError[] {
  const results: unknown = JSON.parse(readFileSync(join(data, name, 'expected.json'), 'utf8'));
  const errors: CrdifyError[] = [];
  const collect = (value: unknown, around: string): void => {
    for (const item of jsonListOf(value)) collect(item, around);
    const map = jsonMapOf(value);
    const path = typeof map['property'] === 'string' ? map['property'].replace(/^\^/, '') : around;
    if (jsonListOf(map['errors']).length > 0) errors.push({ validation: jsonTextOf(map['name']), path });
    for (const inner of Object.values(map)) if (typeof inner === 'object') collect(inner, path);
  };
  collect(results, '');
  return errors;
}

async function ourChanges(name: string, ...flags: readonly string[]): Promise<readonly CrdChange[]> {
  const cwd = join(data, name);
  const { stdout } = await runCli(['crd', 'diff', 'a.yaml', 'b.yaml', '--all', '-o', 'json', ...flags], {
    cwd,
  });
  return (JSON.parse(stdout) as { result: { changes: readonly CrdChange[] } }).result.changes;
}

/** Whether a change is about what crdify's error is about. A field that is required now has its own path in op-sdk. */
function isSame({ code, path }: CrdChange, { validation, path: theirs }: CrdifyError): boolean {
  // A field that is gone is removed, whatever its schema said.
  if (code === 'field-removed' && path === theirs) return true;
  if (codesOf[validation]?.includes(code) !== true) return false;
  if (theirs === '') return true;
  return validation === 'required' ? path.startsWith(`${theirs}.`) : path === theirs;
}

/** Those of the list that some case needs. */
const met = new Set<WantedDifference>();

describe.skipIf(missing !== undefined)("definitions beside crdify's", () => {
  it('has cases', () => expect(cases.length).toBeGreaterThan(20));

  it.each(cases)('%s', async (name) => {
    const errors = crdifyErrors(name);
    const changes = await ourChanges(name);
    const breaking = changes.filter(({ severity }) => severity === 'breaking');
    const missed = errors.filter((error) => !breaking.some((change) => isSame(change, error)));
    const unwanted = missed.filter((error) => {
      const wanted = wantedDifferences.find(
        ({ validation, code }) =>
          validation === error.validation &&
          changes.some((change) => change.code === code && isSame(change, error)),
      );
      if (wanted !== undefined) met.add(wanted);
      return wanted === undefined;
    });
    expect(unwanted).toEqual([]);
    // And op-sdk raises no alarm where crdify raises none.
    expect(breaking.filter((change) => !errors.some((error) => isSame(change, error)))).toEqual([]);
  });

  it.each(cases)('%s: the same verdict, where the project wants it', async (name) => {
    const strict = wantedDifferences.flatMap(({ code }) => ['--severity', `${code}=breaking`]);
    const breaking = (await ourChanges(name, ...strict)).filter(({ severity }) => severity === 'breaking');
    const errors = crdifyErrors(name);
    expect(errors.filter((error) => !breaking.some((change) => isSame(change, error)))).toEqual([]);
    expect(breaking.length > 0).toBe(errors.length > 0);
  });

  it('every wanted difference is one', () => {
    expect(wantedDifferences.filter((difference) => !met.has(difference))).toEqual([]);
  });
});
