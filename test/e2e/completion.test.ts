// The script for bash, in bash.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const opSdk = join(import.meta.dirname, '../../bin/op-sdk.js');
const hasBash = spawnSync('bash', ['-c', 'complete -p; true']).status === 0;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-bash-'));
  writeFileSync(join(folder, 'op-sdk'), `#!/bin/sh\nexec '${process.execPath}' '${opSdk}' "$@"\n`);
  chmodSync(join(folder, 'op-sdk'), 0o755);
  writeFileSync(
    join(folder, 'PROJECT'),
    'resources:\n- group: cache\n  kind: Redis\n  version: v1\n- group: cache\n  kind: Relay\n  version: v1\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What bash has in COMPREPLY after TAB at the end of a line; the script is sourced twice, as a reloaded profile does. */
function completed(line: string): { readonly words: readonly string[]; readonly stderr: string } {
  const script = `
source <(op-sdk completion bash)
source <(op-sdk completion bash)
compopt() { :; }
COMP_LINE=${JSON.stringify(line)}
COMP_POINT=\${#COMP_LINE}
__op_sdk_complete
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p op-sdk >/dev/null
`;
  const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) };
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return { words: stdout.split('\n').filter((word) => word !== ''), stderr };
}

test.skipIf(!hasBash).each([
  ['op-sdk cre', ['create']],
  ['op-sdk delete api --gr', ['--group']],
  ['op-sdk delete api --kind ', ['Redis', 'Relay']],
  ['op-sdk delete api --kind=Red', ['Redis']],
  ['op-sdk completion z', ['zsh']],
  ['op-sdk nosuch ', []],
])('bash completes %j', (line, words) => {
  expect(completed(line)).toEqual({ words, stderr: '' });
});

test('the entry answers without being asked by a shell', () => {
  const answer = execFileSync(process.execPath, [opSdk, 'complete', '--', 'create', ''], {
    encoding: 'utf8',
  });
  expect(answer).toMatch(/^api\t.*\nwebhook\t.*\nmonitoring\t.*\n:4\n$/);
});
