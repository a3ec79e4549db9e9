// What a Node that is too old prints: it must be able to read the file that says so.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { nodeVersionCheck, oldestNode, oldestNodeLine } from '../../../src/base/util/node-version.ts';
import { pretendedNode } from '../../helpers/pretended-node.ts';

const opSdk = fileURLToPath(new URL('../../../bin/op-sdk.js', import.meta.url));

function run(version: string, args: readonly string[]) {
  return spawnSync(process.execPath, [...pretendedNode(version), ...args], { encoding: 'utf8' });
}

test.each(['14.21.3', '18.20.8', '20.18.3'])('Node %s is refused by every command', (version) => {
  for (const argv of [['--version'], ['create', 'api'], []]) {
    const { status, stdout, stderr } = run(version, [opSdk, ...argv]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `error[cli/unsupported-node]: expected Node 20.19 or newer, got ${version}\n` +
        `  at ${process.execPath}\n  fix: install Node 20.19, 22 or 24, and put it first on the PATH\n`,
    );
  }
});

test('bin/op-sdk.js is a plain script of the time before modules, for the oldest Node that package.json allows', () => {
  const text = readFileSync(opSdk, 'utf8');
  const [shebang = '', ...lines] = text.split('\n');
  expect(shebang).toBe('#!/usr/bin/env node');
  // Neither import statements nor await at the top: that would be a syntax error here.
  expect(() => new Script(lines.join('\n'))).not.toThrow();
  expect(lines.join('\n')).not.toMatch(/=>|`|\b(?:const|let|class|async|await)\b|\?\.|\?\?/);
  const [major = '', minor = ''] = oldestNode.split('.');
  expect(text).toContain(`version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})`);
  expect(text).toContain(`expected Node ${oldestNodeLine} or newer`);
});

test.each([
  ['18.20.8', 1],
  ['20.18.3', 1],
  ['20.19.0', 0],
  ['22.0.0', 0],
])('a bundle on Node %s ends with %d', (version, code) => {
  const script = `${nodeVersionCheck('runtime/unsupported-node', 'this operator')}console.log('started')`;
  const { status, stdout, stderr } = run(version, ['--input-type=module', '--eval', script]);
  expect({ status, stdout }).toEqual({ status: code, stdout: code === 0 ? 'started\n' : '' });
  const refusal = `error[runtime/unsupported-node]: this operator: expected Node 20.19 or newer, got ${version}\n`;
  expect(stderr).toBe(code === 0 ? '' : refusal);
});
