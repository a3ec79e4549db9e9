import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formerVersion, isTag } from '../../../src/cli/actions/upgrade/versions.ts';
import type { CliContext } from '../../../src/cli/command.ts';
import { packageInfo, packageRoot } from '../../../src/cli/package-info.ts';
import type { LoadedProject } from '../../../src/project/project/index.ts';

test.each(['latest', 'next', 'release-1.x', 'v2-beta'])('%s is a tag of the registry', (wanted) => {
  expect(isTag(wanted)).toBe(true);
});

test.each(['1.2.3', 'v1.2.3', '1', '1.x', '^1.2.0', '>=1 <2', 'opsdk-1.4.0.tgz', './opsdk.tar.gz', 'a/b'])(
  '%s is none',
  (wanted) => {
    expect(isTag(wanted)).toBe(false);
  },
);

describe('the version that made a project', () => {
  let root = '';
  beforeEach(() => (root = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-former-')))));
  afterEach(() => rmSync(root, { recursive: true }));

  const { version } = packageInfo();
  const former = async (installed: string) => {
    const folder = join(root, 'node_modules/opsdk');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'opsdk', version: installed }));
    const project = { root, cliVersion: version } as unknown as LoadedProject;
    return formerVersion({ env: {} } as unknown as CliContext, project, join(root, 'copies'));
  };

  test('is the running op-sdk rather than the copy in the project', async () => {
    expect(await former(version)).toEqual({ root: packageRoot, version, isExact: true });
  });

  test('is the copy in the project if that was packed into it', async () => {
    const packed = `${version}.local-0123456789ab`;
    expect(await former(packed)).toMatchObject({ root: join(root, 'node_modules/opsdk'), version: packed });
  });
});
