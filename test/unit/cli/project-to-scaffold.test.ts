import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectToScaffold } from '../../../src/cli/actions/files/project-to-scaffold.ts';
import { packageInfo } from '../../../src/cli/package-info.ts';

let cwd = '';
beforeAll(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-to-scaffold-')));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** A project that an op-sdk of this version has scaffolded. */
function read(cliVersion: string | undefined) {
  const version = cliVersion === undefined ? '' : `cliVersion: ${cliVersion}\n`;
  writeFileSync(
    join(cwd, 'PROJECT'),
    `${version}domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nprojectName: web-operator\nrepo: web\nversion: "3"\n`,
  );
  return projectToScaffold({ cwd, env: {} });
}

test('refuses to scaffold into a project of a newer op-sdk', async () => {
  await expect(read('99.0.0')).rejects.toMatchObject({
    findings: [
      {
        code: 'project/newer-op-sdk',
        where: { file: 'PROJECT' },
        fix: [expect.stringContaining('`npm install`')],
      },
    ],
  });
});

const { version } = packageInfo();
test.each([undefined, '0.0.1', version, `${version}.local-0123456789ab`])(
  'takes a project of op-sdk %s',
  async (cliVersion) => {
    expect((await read(cliVersion)).projectName).toBe('web-operator');
  },
);
