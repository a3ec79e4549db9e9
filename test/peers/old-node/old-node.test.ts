// Nodes that op-sdk does not support: each says so in a sentence, and not by a syntax error.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeBinary } from '../../../scripts/lib/nodes.mjs';
import { runCli } from '../../helpers/run-cli.ts';

const opSdk = fileURLToPath(new URL('../../../bin/op-sdk.js', import.meta.url));
const isHere = process.platform === 'linux' && process.arch === 'x64';
const reason = isHere ? '' : ' (skipped: the packages of Node are for linux on x64)';
let scratch = '';

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-old-node-'));
  mkdirSync(join(scratch, 'src'));
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(scratch, 'src', 'main.ts'), `console.log('started');\n`);
  expect((await runCli(['build'], { cwd: scratch })).code).toBe(0);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.skipIf(!isHere).each(['14', '16', '18', '20.18.3'])(
  `Node %s refuses op-sdk and its operators${reason}`,
  { timeout: 120_000 },
  async (line) => {
    const node = await nodeBinary(line);
    if (node === undefined) return expect.fail('not unpacked');
    for (const args of [[opSdk, 'version'], [opSdk, '--help'], [join(scratch, 'dist', 'main.mjs')]]) {
      const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
      expect({ status, stdout }, args.join(' ')).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        /^error\[(?:cli|runtime)\/unsupported-node\]: .*expected Node 20\.19 or newer, got 1?\d/,
      );
      expect(stderr).not.toContain('SyntaxError');
    }
  },
);
