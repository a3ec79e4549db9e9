// Where the operator's ServiceAccount and roles come from.
import { afterEach, describe, expect, test } from 'vitest';
import { accessFolder, accessInput } from '../../../../src/cli/actions/input/manifests.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { projectFolder, type ProjectFolder } from '../../compiler/manifests/project-folder.ts';

const folders: ProjectFolder[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
function project(files: Readonly<Record<string, string>>): { readonly cwd: string } {
  const folder = projectFolder({ 'src/main.ts': '', ...files });
  folders.push(folder);
  return { cwd: folder.dir };
}

const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: operator\n  namespace: sys\n';
const rbac = {
  'config/rbac/account.yaml': account,
  'config/rbac/kustomization.yaml': 'resources:\n- account.yaml\n',
};
const broken = {
  ...rbac,
  'config/default/kustomization.yaml': 'resources:\n- ../rbac\nhelmCharts:\n- name: x\n',
};

test('config/default counts, else config/rbac', async () => {
  expect(await accessFolder(project({}))).toBeUndefined();
  expect(await accessFolder(project(rbac))).toBe('config/rbac');
  expect((await accessInput(project(rbac), { isOptional: true })).account).toEqual({
    namespace: 'sys',
    name: 'operator',
  });
  expect(await accessFolder(project(broken))).toBe('config/default');
});

describe('a kustomization that cannot be rendered', () => {
  const fixes = async (isOptional: boolean): Promise<readonly string[]> => {
    try {
      await accessInput(project(broken), { isOptional });
    } catch (error) {
      if (isOpSdkError(error)) return error.findings.flatMap(({ fix = [] }) => fix);
      throw error;
    }
    return [];
  };
  const asYourself = 'or run the operator as yourself: --no-as-service-account';

  test('does not keep anybody from running the operator', async () => {
    expect(await fixes(true)).toContain(asYourself);
  });

  test('keeps a command that is about the roles from working', async () => {
    const found = await fixes(false);
    expect(found.length).toBeGreaterThan(0);
    expect(found).not.toContain(asYourself);
  });
});
