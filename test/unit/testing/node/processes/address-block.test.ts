import dns from 'node:dns';
import { lookup as named } from 'node:dns/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { AddressBlock } from '../../../../../src/testing/node/processes/address-block.ts';
import { answerNames } from '../../../../../src/testing/node/processes/name-lookup.js';

const taken: AddressBlock[] = [];
async function take(): Promise<AddressBlock> {
  const block = await AddressBlock.take();
  taken.push(block);
  return block;
}
afterEach(async () => {
  for (const block of taken.splice(0)) await block.close();
});

describe.skipIf(process.platform !== 'linux')('a block of addresses', () => {
  test('gives each name one address, also before its Pod is there', async () => {
    const block = await take();
    const address = block.resolve('db-0.db.ns.svc');
    expect(address).toMatch(/^127\.\d+\.0\.1$/);
    expect(block.podAddress('ns', { name: 'x', hostname: 'db-0', subdomain: 'db' })).toBe(address);
    expect(block.resolve('db-0.db.ns.svc.cluster.local')).toBe(address);
    expect(block.podAddress('ns', { name: 'db-0' })).not.toBe(address);
    expect(block.resolve('db.ns.svc')).toBe(block.serviceAddress('ns', 'db'));
    expect(() => block.resolve('db')).toThrow('expected POD.SUBDOMAIN.NAMESPACE.svc');
    expect(() => block.resolve('kubernetes.default.svc')).toThrow();
  });

  test('is for one control plane', async () => {
    const blocks = await Promise.all(Array.from({ length: 20 }, () => take()));
    const addresses = blocks.map((block) => block.nodeAddress(0));
    expect(new Set(addresses).size).toBe(20);
  });

  test('replaces names in texts', async () => {
    const block = await take();
    const pod = block.resolve('db-0.db.ns.svc');
    expect(block.replaceNames('a=http://db-0.db.ns.svc:2380,b=db-0.db.ns.svc.cluster.local')).toBe(
      `a=http://${pod}:2380,b=${pod}`,
    );
    const other = 'x.db-0.db.ns.svc-2 kubernetes.default.svc example.com';
    expect(block.replaceNames(other)).toBe(other);
  });

  test('answers its names in this process, and no others', async () => {
    const block = await take();
    const address = block.resolve('db-0.db.ns.svc');
    const original = dns.lookup;
    const end = answerNames((name) => block.find(name));
    try {
      expect(await promisify(dns.lookup)('db-0.db.ns.svc')).toEqual({ address, family: 4 });
      expect(await dns.promises.lookup('db-0.db.ns.svc', { all: true })).toEqual([{ address, family: 4 }]);
      expect(await named('db-0.db.ns.svc')).toEqual({ address, family: 4 });
      await expect(dns.promises.lookup('db-9.db.ns.svc')).rejects.toThrow();
    } finally {
      end();
    }
    expect(dns.lookup).toBe(original);
  });
});
