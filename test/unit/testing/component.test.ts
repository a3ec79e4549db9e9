import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startComponent, Ending } from '../../../src/testing/control-plane/component.ts';
import { Guardian } from '../../../src/base/process/guardian.ts';
import { processesWith } from '../../helpers/processes.ts';

test('a component that is late is ended: it would keep its port from the next one', async () => {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  const guardian = new Guardian({ folders: [folder] });
  try {
    await writeFile(join(folder, 'etcd'), `#!${process.execPath}\nsetInterval(() => undefined, 1_000);\n`);
    await chmod(join(folder, 'etcd'), 0o755);
    const host = {
      guardian,
      assets: folder,
      folder,
      startTimeout: 300,
      signal: undefined,
      ending: new Ending(),
    };
    let seen = 0;
    const starting = startComponent(host, 'etcd', [], async () => {
      seen = Math.max(seen, (await processesWith(join(folder, 'etcd'))).length);
      return false;
    });
    await expect(starting).rejects.toMatchObject({ code: 'testenv/start-failed' });
    expect(seen).toBe(1);
    expect(await processesWith(join(folder, 'etcd'))).toEqual([]);
  } finally {
    await guardian.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
