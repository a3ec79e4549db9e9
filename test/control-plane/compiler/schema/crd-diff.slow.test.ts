// What `op-sdk crd diff` says of changes is what a real API server does with objects that are there: they stay valid or not, keep
// their data or not, and ratcheting softens what it is said to soften.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { eventually } from '../../../../src/testing/index.ts';
import {
  sharedControlPlane,
  uniqueName,
  uniqueNamespace,
  type SharedControlPlane,
} from '../../../helpers/control-plane.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { cases, definition, integer, object, text, type Schema } from './crd-diff-cases.ts';

let controlPlane: SharedControlPlane;
let namespace: string;
beforeAll(async () => {
  controlPlane = await sharedControlPlane();
  namespace = await uniqueNamespace(controlPlane, 'crd-diff');
});

const request = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  apiRequest(controlPlane, { method, path, ...(body === undefined ? {} : { body }) });
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const strict = '?fieldValidation=Strict';

async function compare(old: unknown, now: unknown): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
  try {
    writeFileSync(join(cwd, 'old.json'), JSON.stringify(old));
    const { stdout } = await runCli(['crd', 'diff', 'old.json', '-', '--all', '-o', 'json'], {
      cwd,
      stdin: JSON.stringify(now),
    });
    const { result } = JSON.parse(stdout) as { result: { changes: readonly { readonly code: string }[] } };
    return result.changes.map(({ code }) => code).sort();
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Another value of the same kind, as invalid as the one before. */
function touched(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    return [...items, typeof items[0] === 'object' ? { a: 'other', b: 'b' } : 'b'];
  }
  return typeof value === 'string' ? `${value}a` : { ...(value as object), a: 'other' };
}

describe.concurrent.each(cases)('$title', ({ old, now, value, codes, outcome }) => {
  test('is what the API server does', async () => {
    const group = `${uniqueName()}.example.com`;
    const [before, after] = [definition(group, old), definition(group, now)];
    expect(await compare(before, after)).toEqual([...codes].sort());
    const made = await request('POST', `${crds}${strict}`, before);
    expect(made.status, made.text).toBe(201);
    const samples = `/apis/${group}/v1/namespaces/${namespace}/samples`;
    await eventually(async () => (await request('GET', samples)).status === 200, { timeout: 30_000 });
    const sample = { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec: { value } };
    const created = await request('POST', `${samples}${strict}`, sample);
    expect(created.status, created.text).toBe(201);
    const patch = (path: string, body: unknown) =>
      apiRequest(controlPlane, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
    // The field `next` tells which schema answers: the new one takes over a moment after the definition.
    const { spec } = definition(group, now, { next: text });
    const replaced = await patch(`${crds}/samples.${group}`, { spec });
    expect(replaced.status, replaced.text).toBe(200);
    await eventually(
      async () => {
        const { status } = await patch(`${samples}/x${strict}&dryRun=All`, { spec: { next: 'n' } });
        // 400: it is not known yet. While handlers are replaced there may be other answers.
        return status === 200 || status === 422;
      },
      { timeout: 30_000 },
    );
    const current = async () =>
      ((await request('GET', `${samples}/x`)).json() as { spec: { value: unknown } }).spec.value;
    // Reads may be answered by the old schema for some moments more.
    if (outcome === 'lost')
      return eventually(async () => JSON.stringify(await current()) === '{}', { timeout: 30_000 });
    if (typeof value === 'object') expect(await current()).toMatchObject(value as object);
    else expect(await current()).toBe(value);
    const untouched = await patch(`${samples}/x`, { spec: { note: 'n' } });
    const changed = await patch(`${samples}/x`, { spec: { value: touched(value) } });
    const expected = outcome === 'kept' ? { untouched: 200, changed: 200 } : outcome;
    expect({ untouched: untouched.status, changed: changed.status }, changed.text).toEqual(expected);
  });
});

describe.concurrent.each([
  { title: 'the storage version lacks it', storage: 'v2', codes: ['storage-version-lacks-field'] },
  { title: 'a served version lacks it', storage: 'v1', codes: ['served-version-lacks-field'] },
])('a write that has nothing to do with a field removes it: $title', ({ storage, codes }) => {
  test.each([
    { target: 'pruned', isLost: true },
    { target: 'kept as unknown', isLost: false },
  ])('$target', async ({ isLost }) => {
    const group = `${uniqueName()}.example.com`;
    const version = (name: string, stored: string, value: Schema) => ({
      name,
      served: true,
      storage: name === stored,
      schema: { openAPIV3Schema: object({ spec: object({ value, note: text }) }) },
    });
    const [full, less] = [
      object({ a: text, b: text }),
      object({ a: text }, isLost ? {} : { 'x-kubernetes-preserve-unknown-fields': true }),
    ];
    const before = definition(group, full);
    const versions = [version('v1', storage, full), version('v2', storage, less)];
    const after = { ...before, spec: { ...before.spec, versions } };
    const found = await compare(before, after);
    expect(found.filter((code) => codes.includes(code))).toEqual(isLost ? codes : []);
    expect((await request('POST', `${crds}${strict}`, before)).status).toBe(201);
    const samples = (name: string) => `/apis/${group}/${name}/namespaces/${namespace}/samples`;
    await eventually(async () => (await request('GET', samples('v1'))).status === 200, { timeout: 30_000 });
    const spec = { value: { a: 'a', b: 'b' } };
    const sample = { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec };
    expect((await request('POST', samples('v1'), sample)).status).toBe(201);
    const patch = (path: string, body: unknown) =>
      apiRequest(controlPlane, { method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
    expect((await patch(`${crds}/samples.${group}`, { spec: { versions } })).status).toBe(200);
    // A patch of the note, until it is answered by the new definition.
    await eventually(
      async () => (await patch(`${samples('v2')}/x`, { spec: { note: uniqueName() } })).status === 200,
      { timeout: 30_000 },
    );
    const read = await request('GET', `${samples('v1')}/x`);
    expect((read.json() as { spec: object }).spec).toMatchObject({
      value: isLost ? { a: 'a' } : spec.value,
    });
    if (isLost) expect(read.text).not.toContain('"b"');
  });
});

test('--from-cluster compares with what the cluster has', async () => {
  const group = `${uniqueName()}.example.com`;
  const made = await request('POST', crds, definition(group, text));
  expect(made.status, made.text).toBe(201);
  const args = ['crd', 'diff', '--from-cluster', '-', '--kubeconfig', controlPlane.kubeconfig];
  const same = await runCli(args, { stdin: JSON.stringify(definition(group, text)) });
  expect(same).toEqual({ code: 0, stdout: 'no breaking changes, no compatible changes\n', stderr: '' });
  const other = await runCli(args, { stdin: JSON.stringify(definition(group, integer)) });
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('type-changed  .spec.value: string became integer');
  const unknown = definition(`${uniqueName()}.example.com`, text);
  const added = await runCli(args, { stdin: JSON.stringify(unknown) });
  expect(added).toMatchObject({ code: 0, stderr: '' });
  expect(added.stdout).toContain('crd-added');
});
