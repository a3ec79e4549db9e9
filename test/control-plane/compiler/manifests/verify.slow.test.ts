// `generate manifests --verify`: what only an API server knows of the CRDs, told at the places in the sources.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../src/testing/index.ts';
import { apiRequest } from '../../../../src/testing/http/api-request.ts';
import { runCli, type CliRun } from '../../../helpers/run-cli.ts';
import { sharedControlPlane, uniqueName, type SharedControlPlane } from '../../../helpers/control-plane.ts';
import { projectFolder, type ProjectFolder } from '../../../unit/compiler/manifests/project-folder.ts';
import { isServerOlderThan } from '../../../helpers/server-version.ts';

let plane: SharedControlPlane;
let group: string;
const folders: ProjectFolder[] = [];
const types = 'src/api/sample.ts';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

beforeAll(async () => {
  plane = await sharedControlPlane();
});

afterEach(async () => {
  for (const folder of folders.splice(0)) folder.remove();
  await apiRequest(plane, { method: 'DELETE', path: `${crds}/samples.${group}` });
});

function project(interfaces: string, definition = ''): ProjectFolder {
  group = `${uniqueName()}.example.com`;
  const folder = projectFolder({
    [types]: `import { defineResource, type CustomResource, type Int32, type ListMap } from 'opsdk';
${interfaces}
export const Sample = defineResource<Sample>({
  group: '${group}',
  version: 'v1',
  kind: 'Sample',
  ${definition}
});
`,
  });
  folders.push(folder);
  return folder;
}

/** On the control plane of this test run, as if it were the cluster of the kubeconfig. */
const verify = (folder: ProjectFolder, ...flags: string[]): Promise<CliRun> =>
  runCli(
    [
      'generate',
      'manifests',
      '--only',
      'crd',
      '--verify=cluster',
      '--kubeconfig',
      plane.kubeconfig,
      ...flags,
    ],
    {
      cwd: folder.dir,
      env: { OPSDK_NO_CACHE: '1' },
    },
  );

/** `code place` of each error. */
const refusals = ({ stderr }: CliRun): string[] =>
  [...stderr.matchAll(/error\[([^\]]+)\](?:(?!\n\n|error\[)[\s\S])*?\n {2}at (\S+)/g)].map(
    ([, code, place]) => `${code} ${place}`,
  );

const fine = `export interface Sample extends CustomResource {
  spec: {
    /** @cel self >= 1 : "at least one" */
    size?: Int32;
  };
}`;

test('what the server takes is written, and nothing is stored there', async () => {
  const folder = project(fine);
  const run = await verify(folder);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stderr).toContain('the cluster accepts the CRD');
  expect(folder.exists(`config/crd/bases/${group}_samples.yaml`)).toBe(true);
  expect((await apiRequest(plane, { path: `${crds}/samples.${group}` })).status).toBe(404);
});

test('expressions that do not compile or cost too much: all of them, each at its tag, and nothing is written', async ({
  skip,
}) => {
  skip(isServerOlderThan('1.34'), 'the server words the refusal otherwise');
  const folder = project(
    `export interface Item {
  /**
   * The name.
   *
   * @cel self.startsWith(1)
   */
  name: string;
  text?: string;
}
/** @cel self.spec.size + 'a' == 'b' */
export interface Sample extends CustomResource {
  spec: {
    size?: Int32;
    items?: ListMap<Item, 'name'>;
    /**
     * @cel self.all(x, self.all(y, x.contains(y))) : "costly"
     * @maxItems 1000000
     */
    words?: string[];
  };
}`,
    `cel: [
    { rule: 'self.metadata.name.size() < 20' },
    { rule: 'self.metadata.name + 1 == "a"' },
  ],`,
  );
  const run = await verify(folder);
  expect(run.code).toBe(1);
  expect(new Set(refusals(run))).toEqual(
    new Set([
      `manifests/verify-refused ${types}:6:6`,
      `manifests/verify-refused ${types}:11:5`,
      // The cost of all rules together, as the server says it.
      `manifests/verify-refused ${types}:12:18`,
      `manifests/verify-refused ${types}:17:8`,
      `manifests/verify-refused ${types}:29:5`,
    ]),
  );
  expect(run.stderr).toContain(
    "(spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule): compilation failed: ERROR: <input>:1:16: found no matching overload for '_+_'",
  );
  expect(run.stderr).toContain('bound what the rule walks over');
  expect(folder.exists('config')).toBe(false);
});

test('a definition that is there is checked as its update', async () => {
  const folder = project(fine);
  await verify(folder);
  const stored = await runCli(['generate', 'manifests', '--only', 'crd', '--stdout', '-o', 'json'], {
    cwd: folder.dir,
  });
  const { result } = JSON.parse(stored.stdout) as { result: { documents: readonly object[] } };
  const made = await apiRequest(plane, { method: 'POST', path: crds, body: result.documents[0] });
  expect(made.status).toBe(201);
  expect((await verify(folder)).code).toBe(0);

  folder.write(types, folder.read(types).replace("kind: 'Sample',", "kind: 'Sample', scope: 'Cluster',"));
  const run = await verify(folder);
  expect(run.code).toBe(1);
  expect(refusals(run)).toEqual([`manifests/verify-refused ${types}:11:26`]);
  expect(run.stderr).toContain('field is immutable');
});

test('a version that the cluster may have stored objects in cannot go, and it is said what to do', async () => {
  const folder = project(fine);
  const stored = await runCli(['generate', 'manifests', '--only', 'crd', '--stdout', '-o', 'json'], {
    cwd: folder.dir,
  });
  const { result } = JSON.parse(stored.stdout) as { result: { documents: readonly object[] } };
  const made = await apiRequest(plane, { method: 'POST', path: crds, body: result.documents[0] });
  expect(made.status).toBe(201);
  await eventually(async () => {
    const { text } = await apiRequest(plane, { path: `${crds}/samples.${group}` });
    expect(text).toContain('"storedVersions":["v1"]');
  });

  folder.write(types, folder.read(types).replace("version: 'v1',", "version: 'v2',"));
  const run = await verify(folder);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('(status.storedVersions[0])');
  expect(run.stderr).toContain('fix: keep the version');
});

test('--verify=testenv starts a control plane of its own, and ends it', async () => {
  const folder = project(fine.replace('self >= 1', "self + 'a' == 'b'"));
  const run = await runCli(['generate', 'manifests', '--only', 'crd', '--verify'], { cwd: folder.dir });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("found no matching overload for '_+_'");
  expect(refusals(run)).toEqual([`manifests/verify-refused ${types}:4:9`]);
});

test('a cluster that refuses to look at it', async () => {
  const folder = project(fine);
  const kubeconfig = 'nobody.kubeconfig';
  folder.write(
    kubeconfig,
    plane.kubeconfigText
      .replace(/client-(certificate|key)-data: .*\n/g, '')
      .replace(/user: *\n?\s*\{?\}?$/m, 'user: {}'),
  );
  const run = await runCli(
    ['generate', 'manifests', '--only', 'crd', '--verify=cluster', '--kubeconfig', kubeconfig],
    { cwd: folder.dir },
  );
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/error\[(?:kube|cluster)\//);
  expect(folder.exists('config')).toBe(false);
});
