// A program of its own finds the names of Pods and Services, as the process of the control plane does.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NameServer } from '../../../../../src/testing/node/processes/name-server.ts';

const addresses: Readonly<Record<string, string>> = {
  'db-0.db.ns.svc': '127.64.0.1',
  'db.ns.svc.cluster.local': '127.64.0.2',
};

describe.skipIf(process.platform === 'win32')('names in another program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-names-'));
  const errors: unknown[] = [];
  let server: NameServer;
  beforeAll(() => {
    server = new NameServer(
      folder,
      (name) => addresses[name],
      (error) => errors.push(error),
    );
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
    expect(errors).toEqual([]);
  });

  /** Runs a program that looks up names. @returns their addresses, or the codes of the errors */
  async function lookUp(names: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
    const program = `
      import { lookup } from 'node:dns/promises';
      const all = ${JSON.stringify(names)};
      const found = await Promise.all(all.map((name) => lookup(name).then(({ address }) => address, ({ code }) => code)));
      console.log(JSON.stringify(found));`;
    return run(program, env);
  }

  /** Runs a program that finds names. @returns what it has printed, read as JSON */
  async function run(program: string, env: Readonly<Record<string, string>>): Promise<unknown> {
    const args = [...server.settings.nodeFlags, '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  }

  test('has the addresses of the control plane, and ends by itself', async () => {
    const names = ['db-0.db.ns.svc', 'localhost', 'db.ns.svc.cluster.local', 'db-0.db.ns.svc'];
    const local = expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string;
    expect(await lookUp(names, server.settings.env)).toEqual([
      '127.64.0.1',
      local,
      '127.64.0.2',
      '127.64.0.1',
    ]);
  });

  test('takes the options that the system takes, and leaves IPv6 and wrong arguments to it', async () => {
    const program = `
      import dns from 'node:dns';
      const name = 'db-0.db.ns.svc';
      const ask = (...args) =>
        new Promise((resolve) => dns.lookup(...args, (error, ...found) => resolve(error ? 'none' : found)));
      const refused = (...args) => {
        try {
          dns.lookup(...args);
        } catch ({ code }) {
          return code;
        }
      };
      console.log(JSON.stringify({
        plain: await ask(name),
        null: await ask(name, null),
        number: await ask(name, 4),
        all: await ask(name, { all: true }),
        promise: await dns.promises.lookup(name, null),
        six: [await ask(name, 6), await ask(name, { family: 6 }), await ask(name, { family: 'IPv6' })],
        other: (await ask('localhost', null)).length,
        refused: [refused(name), refused('localhost', { family: 5 }, () => undefined)],
      }));`;
    const one = ['127.64.0.1', 4];
    expect(await run(program, server.settings.env)).toEqual({
      ...{ plain: one, null: one, number: one },
      all: [[{ address: '127.64.0.1', family: 4 }]],
      promise: { address: '127.64.0.1', family: 4 },
      six: ['none', 'none', 'none'],
      other: 2,
      refused: ['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE'],
    });
  });

  test('asks nobody about names of others, and none has an address when the control plane has ended', async () => {
    const gone = { OP_SDK_NAMES: join(folder, 'gone') };
    const [known, local] = (await lookUp(['db-0.db.ns.svc', 'localhost'], gone)) as string[];
    expect(known).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    expect(local).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  test('many questions at the same time get their own answers', async () => {
    const names = Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? 'db-0.db.ns.svc' : 'localhost',
    );
    const found = (await lookUp(names, server.settings.env)) as string[];
    expect(found.filter((address) => address === '127.64.0.1')).toHaveLength(100);
  });
});
