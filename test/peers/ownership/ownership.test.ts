// Managed fields are moved as client-go's own code moves them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '../../../src/sdk/api/index.ts';
import { planOwnership } from '../../../src/cluster/ownership/plan-ownership.ts';
import { FieldSet } from '../../../src/kubernetes/objects/index.ts';

/** The Go command; GO names another than the one on the PATH. */
const go = process.env['GO'] ?? 'go';
const folder = mkdtempSync(join(tmpdir(), 'op-sdk-ownership-'));
const oracle = join(folder, 'oracle');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function whyNot(): string | undefined {
  try {
    execFileSync(go, ['build', '-o', oracle, '.'], { cwd: import.meta.dirname, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `client-go cannot be built: ${String(error)}`;
  }
}

const names = ['a', 'b', 'c'];
const step = fc.oneof(
  fc.constantFrom(...names).map((name) => `f:${name}`),
  fc.constantFrom(...names).map((name) => `k:{"name":"${name}"}`),
  fc.constantFrom(...names).map((name) => `v:"${name}"`),
);
const fields = fc
  .array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  .map((paths) => FieldSet.of(...paths).toJson());

/**
 * Entries in the order of the API server: appliers first, then the others by time. A former manager has at most one entry for each part of
 * the object, because csaupgrade takes the oldest of several for the newest.
 */
const entries = fc
  .uniqueArray(
    fc.record({
      manager: fc.constantFrom('go', 'op/web', 'other'),
      operation: fc.constantFrom('Apply', 'Update'),
      apiVersion: fc.constantFrom('v1', 'v1beta1'),
      fieldsV1: fields,
      subresource: fc.constantFrom('', 'status', 'scale'),
    }),
    { selector: ({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}` },
  )
  .map((all) =>
    all
      .sort((one, other) => (one.operation < other.operation ? -1 : one.operation > other.operation ? 1 : 0))
      .map(({ subresource, ...entry }, index): ManagedFieldsEntry => ({
        ...entry,
        fieldsType: 'FieldsV1',
        time: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString().replace('.000', ''),
        ...(subresource === '' ? {} : { subresource }),
      })),
  );

const examples = fc.record({ managedFields: entries, from: fc.constantFrom(['go'], ['op/web']) });
const to = 'op/web';

test('random managed fields become those of csaupgrade', ({ skip }) => {
  const reason = whyNot();
  if (reason !== undefined) skip(reason);
  const all = fc.sample(examples, 2000);
  const wanted = JSON.parse(
    execFileSync(oracle, {
      input: JSON.stringify(all.map((each) => ({ ...each, to }))),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as readonly (readonly ManagedFieldsEntry[] | null)[];
  const moved = all.map(({ managedFields, from }) =>
    planOwnership(managedFields, from, { object: to, status: to }),
  );
  for (const [index, { managedFields }] of moved.entries())
    expect(managedFields, JSON.stringify(all[index])).toEqual(wanted[index] ?? []);
  expect(moved.filter(({ moves }) => moves.length > 0).length).toBeGreaterThan(all.length / 4);
});
