// What `op-sdk dev` and `op-sdk run` refuse before anything starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectionOf } from '../../../../src/cli/actions/input/flag-values.ts';
import { FindingList } from '../../../../src/base/errors/index.ts';
import { runCli } from '../../../helpers/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-dev-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function errorsOf(...argv: readonly string[]) {
  const { code, stdout } = await runCli(['-o', 'json', ...argv], { cwd: folder });
  const { errors } = JSON.parse(stdout) as { errors: { code: string; where?: { flag?: string } }[] };
  return { code, errors: errors.map(({ code, where }) => [code, where?.flag]) };
}

describe('op-sdk dev', () => {
  test('outside of a project is refused', async () => {
    expect(await errorsOf('dev')).toEqual({ code: 1, errors: [['project/not-found', undefined]] });
  });

  test('all that is wrong with its flags is reported at once', async () => {
    const argv = ['dev', '--inspect=http', '--kubernetes-version=1.36.3', '--kubeconfig=x', 'word'];
    expect((await errorsOf(...argv)).errors).toEqual([
      ['cli/unexpected-argument', undefined],
      ['cli/invalid-value', '--inspect'],
      ['cli/invalid-value', '--kubernetes-version'],
    ]);
  });

  test('nodes are of its own control plane, and a number', async () => {
    const refused = { code: 2, errors: [['cli/invalid-value', '--nodes']] };
    expect(await errorsOf('dev', '--nodes=many')).toEqual(refused);
    expect(await errorsOf('dev', '--nodes=3', '--no-node')).toEqual(refused);
    expect(await errorsOf('dev', '--nodes=3', '--context=kind')).toEqual(refused);
    expect((await errorsOf('dev', '--nodes=3')).errors).toEqual([['project/not-found', undefined]]);
  });

  test('a version that is not one is refused by its flag', async () => {
    expect(await errorsOf('dev', '--kubernetes-version=1.36')).toEqual({
      code: 2,
      errors: [['testenv/invalid-version', '--kubernetes-version']],
    });
  });

  test.each(['dev', 'run'])('op-sdk %s takes the kubeconfig before --', async (command) => {
    expect((await errorsOf(command, '--', '--kubeconfig=x')).errors).toEqual([
      ['cli/invalid-value', '--kubeconfig'],
    ]);
  });
});

describe('the address of the inspector', () => {
  test.each([
    [{}, undefined],
    [{ inspect: true }, { wait: false }],
    [{ inspectBrk: true }, { wait: true }],
    [{ inspect: '0' }, { address: '0', wait: false }],
    [{ inspectBrk: '127.0.0.1:9230' }, { address: '127.0.0.1:9230', wait: true }],
    [{ inspect: '[::1]:9230' }, { address: '[::1]:9230', wait: false }],
    [{ inspect: 'localhost:1' }, { address: 'localhost:1', wait: false }],
  ] as const)('%j', (options, expected) => {
    const findings = new FindingList();
    expect(inspectionOf(findings, options)).toEqual(expected);
    expect(findings.all).toEqual([]);
  });

  test.each([
    [{ inspect: 'yes' }, '--inspect'],
    [{ inspectBrk: '70000' }, '--inspect-brk'],
    [{ inspect: '127.0.0.1:' }, '--inspect'],
    [{ inspect: '' }, '--inspect'],
    [{ inspect: true, inspectBrk: true }, '--inspect'],
  ] as const)('%j is refused', (options, flag) => {
    const findings = new FindingList();
    expect(inspectionOf(findings, options)).toBeUndefined();
    expect(findings.all).toMatchObject([{ code: 'cli/invalid-value', where: { flag } }]);
  });
});
