// What the commands on the way to a cluster refuse: the code, the exit code, all findings at once, and nothing written.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCertificateAuthority } from '../../../src/sdk/x509/certificate-authority.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { reply, scriptedRegistry, tlsInFront, type Fault } from '../../helpers/scripted-registry.ts';
import { treeOf } from '../../helpers/tree.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-refused-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Runs a command that must be refused. @returns its exit code and the codes of its findings */
async function refused(...argv: string[]): Promise<{ code: number; codes: string[]; text: string }> {
  const before = treeOf(folder);
  const env = { HOME: join(folder, 'home'), DOCKER_CONFIG: join(folder, 'docker') };
  const run = await runCli([...argv, '-o', 'json'], { cwd: folder, env });
  expect(treeOf(folder)).toEqual(before);
  const { ok, errors } = JSON.parse(run.stdout) as { ok: boolean; errors: { code: string }[] };
  expect(ok).toBe(false);
  return { code: run.code, codes: errors.map(({ code }) => code), text: run.stdout + run.stderr };
}

describe('kustomize build', () => {
  const cases: [string, Record<string, string>, string[]][] = [
    [
      'a cycle',
      {
        'a/kustomization.yaml': 'resources:\n- ../b\n',
        'b/kustomization.yaml': 'resources:\n- ../a\n',
      },
      ['kustomize/cycle'],
    ],
    ['a missing file', { 'a/kustomization.yaml': 'resources:\n- gone.yaml\n' }, ['kustomize/missing-file']],
    [
      'a chart and an unknown field, both named',
      { 'a/kustomization.yaml': 'helmCharts:\n- name: x\nresuorces: []\n' },
      ['kustomize/unsupported-field', 'kustomize/unknown-field'],
    ],
    ['no kustomization', { 'a/other.yaml': '' }, ['kustomize/no-kustomization']],
  ];
  test.each(cases)('%s', async (_, files, codes) => {
    write(files);
    const result = await refused('kustomize', 'build', 'a');
    expect(result.code).toBe(1);
    expect(result.codes.sort()).toEqual([...codes].sort());
  });

  test('a refusal names the real kustomize as the way round, piped where the objects are wanted', async () => {
    write({
      'config/default/kustomization.yaml': 'helmCharts:\n- name: x\n',
      'config/manager/kustomization.yaml': 'resources: []\n',
      PROJECT: 'domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nprojectName: demo\nversion: "3"\n',
    });
    const built = await refused('kustomize', 'build', 'config/default');
    expect(built.text).toContain('kustomize build config/default');
    const kubeconfig = join(folder, 'kubeconfig');
    write({ kubeconfig: kubeconfigText });
    const deployed = await refused('deploy', '--kubeconfig', kubeconfig);
    expect(deployed.text).toContain('kustomize build config/default | op-sdk deploy -f -');
  });

  test('YAML bombs end soon, with a finding', async () => {
    const levels = Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`).slice(1);
    write({
      'a/kustomization.yaml': 'resources:\n- bomb.yaml\n',
      'a/bomb.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\na0: &a0 [x]\n${levels.join('\n')}\n`,
    });
    expect((await refused('kustomize', 'build', 'a')).code).toBe(1);
  });
});

describe('bundle build and push', () => {
  const bundle = {
    'bundle/manifests/csv.yaml': 'kind: ClusterServiceVersion\n',
    'bundle/metadata/annotations.yaml': `annotations:
  operators.operatorframework.io.bundle.mediatype.v1: registry+v1
  operators.operatorframework.io.bundle.manifests.v1: manifests/
  operators.operatorframework.io.bundle.metadata.v1: metadata/
  operators.operatorframework.io.bundle.package.v1: demo
  operators.operatorframework.io.bundle.channels.v1: alpha
`,
  };

  test('reports an invalid reference, a destination that cannot be written and a folder without metadata together', async () => {
    write({ 'bundle/manifests/csv.yaml': 'kind: X\n', file: '' });
    const { code, codes } = await refused(
      ...['bundle', 'build', '--tag', 'Upper/Case:v1', '--to', 'oci-archive:file/out.tar'],
    );
    expect(code).toBe(2);
    expect(codes).toContain('oci/invalid-reference');
    expect(codes).toContain('io/cannot-write');
    expect(codes.length).toBeGreaterThanOrEqual(3);
  });

  async function build(reference: string): Promise<void> {
    write(bundle);
    const run = await runCli(['bundle', 'build', '--tag', reference], { cwd: folder });
    expect(run.code, run.stderr).toBe(0);
  }

  test('an unknown host', async () => {
    await build('registry.invalid/team/demo:v1');
    const { code, codes } = await refused('bundle', 'push', 'registry.invalid/team/demo:v1');
    expect([code, codes]).toEqual([1, ['oci/registry-unreachable']]);
  }, 90_000);

  test('an image that was not built', async () => {
    await build('registry.example.com/team/demo:v1');
    const { code, codes, text } = await refused('bundle', 'push', 'registry.example.com/team/other:v1');
    expect([code, codes]).toEqual([1, ['oci/image-not-found']]);
    expect(text).toContain('registry.example.com/team/demo:v1');
  });

  test('a certificate authority that is not known', async () => {
    const authority = createCertificateAuthority('somebody');
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(
      registry.host,
      authority.issue({ commonName: 'registry', usage: 'server', ipAddresses: ['127.0.0.1'] }),
    );
    const reference = `127.0.0.1:${tls.port}/team/demo:v1`;
    await build(reference);
    const { code, codes } = await refused('bundle', 'push', reference);
    expect([code, codes]).toEqual([1, ['oci/registry-tls']]);
  });

  test('a wrong password, which nobody gets to see', async () => {
    await using registry = await scriptedRegistry({
      guard: { kind: 'basic', username: 'alice', password: 'right' },
    });
    const reference = `${registry.host}/team/demo:v1`;
    await build(reference);
    const auth = Buffer.from('alice:wr0ng-one').toString('base64');
    write({ 'docker/config.json': JSON.stringify({ auths: { [registry.host]: { auth } } }) });
    chmodSync(join(folder, 'docker/config.json'), 0o600);
    const { code, codes, text } = await refused('bundle', 'push', reference);
    expect([code, codes]).toEqual([1, ['oci/wrong-credentials']]);
    expect(text).not.toContain('wr0ng-one');
    expect(text).not.toContain(auth);
  });

  const quota = JSON.stringify({ errors: [{ code: 'DENIED', message: 'quota exceeded' }] });
  const wrongDigest: Fault['answer'] = (_, response) => {
    response.writeHead(201, { 'docker-content-digest': `sha256:${'0'.repeat(64)}` }).end();
  };
  test.each([
    ['a quota', { on: /^POST/, times: 9, answer: reply(403, {}, quota) }, 'oci/quota-exceeded'],
    ['another digest', { on: /^PUT .*manifests/, answer: wrongDigest }, 'oci/digest-mismatch'],
  ])('%s at the registry', async (_, fault, expected) => {
    await using registry = await scriptedRegistry({ faults: [fault] });
    const reference = `${registry.host}/team/demo:v1`;
    await build(reference);
    const { code, codes } = await refused('bundle', 'push', reference);
    expect([code, codes]).toEqual([1, [expected]]);
  });

  test('the name of a scaffold that was not changed names no registry', async () => {
    const { code, codes, text } = await refused('image', 'push', 'controller:latest');
    expect([code, codes]).toEqual([2, ['oci/no-registry-named']]);
    expect(text).toContain('IMG=');
  });
});

const kubeconfigText = `apiVersion: v1
kind: Config
current-context: c
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
`;
