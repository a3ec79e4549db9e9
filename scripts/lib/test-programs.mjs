// Real software that the examples' operators are tried with, and that the cluster of test:cluster needs: obtained once per machine.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDebianTools, unpackDebianPackages } from './debian-packages.mjs';
import { ensureFolder, ensureGoPrograms, ProgramsUnavailable } from './go-programs.mjs';
import { run } from './run.mjs';

/** Releases of etcd that follow each other, as an update has to take them. Keys of {@link ensureEtcd}. */
export const etcdVersions = /** @type {const} */ (['3.4.23', '3.5.21', '3.6.8']);

/**
 * Obtains a release of etcd: 3.4.23 from Debian's packages, the later ones from their Go modules.
 * @param {(typeof etcdVersions)[number]} version
 * @returns {Promise<string>} a folder with `etcd` and `etcdctl`, from 3.5 on with `etcdutl`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain it
 */
export async function ensureEtcd(version) {
  if (version === '3.4.23') return ensureFolder(`etcd-${version}`, `unpack etcd ${version}`, fillFromDebian);
  return ensureGoPrograms(`etcd-${version.slice(0, version.lastIndexOf('.'))}`, {
    etcd: 'go.etcd.io/etcd/server/v3',
    etcdctl: 'go.etcd.io/etcd/etcdctl/v3',
    etcdutl: 'go.etcd.io/etcd/etcdutl/v3',
  });
}

/** The modules of 3.4 have no versions. */
async function fillFromDebian(folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-etcd-'));
  try {
    await unpackDebianPackages(['etcd-server', 'etcd-client'], scratch);
    const program = join(scratch, 'usr/bin/etcd');
    const { output } = await run(program, ['--version'], { capture: true });
    if (!output.startsWith('etcd Version: 3.4.23\n'))
      throw new ProgramsUnavailable(`Debian's etcd-server is ${output.split('\n')[0]}, not 3.4.23`);
    for (const name of ['etcd', 'etcdctl']) copyFileSync(join(scratch, 'usr/bin', name), join(folder, name));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Obtains Debian's Redis from redis-tools, whose redis-check-rdb is the server by another name: the package redis-server would start one.
 * @returns {Promise<string>} a folder with `redis-server` and `redis-cli`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain it
 */
export async function ensureRedis() {
  const programs = { 'redis-server': '/usr/bin/redis-check-rdb', 'redis-cli': '/usr/bin/redis-cli' };
  const missing = await installDebianTools(
    Object.fromEntries(Object.values(programs).map((program) => [program, 'redis-tools'])),
  );
  if (missing.length > 0) throw new ProgramsUnavailable('not installed: the Debian package redis-tools');
  const { output } = await run(programs['redis-cli'], ['--version'], { capture: true });
  const version = output.trim().split(' ')[1];
  return ensureFolder(`redis-${version}`, `copy redis ${version}`, async (folder) => {
    for (const [name, program] of Object.entries(programs)) copyFileSync(program, join(folder, name));
  });
}

/** Versions of the programs of {@link ensurePrometheus} and {@link ensureAlertmanager}, as the tags of their images. */
export const prometheusVersion = 'v3.13.5';
export const alertmanagerVersion = 'v0.28.1';

/**
 * Obtains Prometheus from its Go modules, without the discovery of clouds. Debian's package lacks that of Kubernetes, too.
 * @returns {Promise<string>} a folder with `prometheus` and `promtool`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain them
 */
export function ensurePrometheus() {
  const path = 'github.com/prometheus/prometheus/cmd';
  const packages = { prometheus: `${path}/prometheus`, promtool: `${path}/promtool` };
  return ensureGoPrograms('prometheus', packages, { tags: ['remove_all_sd', 'enable_kubernetes_sd'] });
}

/**
 * Obtains Alertmanager from its Go modules. Debian's package reads templates from where only an installation, which starts a service, puts
 * them.
 * @returns {Promise<string>} a folder with `alertmanager`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain it
 */
export function ensureAlertmanager() {
  const packages = { alertmanager: 'github.com/prometheus/alertmanager/cmd/alertmanager' };
  return ensureGoPrograms('alertmanager', packages, { tags: ['builtinassets'] });
}

/**
 * Obtains servers of object stores: `versitygw` for S3, which checks signatures, and `fake-gcs-server` for Google Cloud Storage, which
 * checks no tokens.
 * @returns {Promise<string>} a folder with both
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain them
 */
export function ensureObjectStores() {
  return ensureGoPrograms('object-stores', {
    versitygw: 'github.com/versity/versitygw/cmd/versitygw',
    'fake-gcs-server': 'github.com/fsouza/fake-gcs-server',
  });
}

/**
 * Obtains the name server of test/cluster.
 * @returns {Promise<string>} a folder with `coredns`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain it
 */
export function ensureCoreDns() {
  return ensureGoPrograms('coredns', { coredns: '.' });
}

/**
 * Obtains the releases of Helm that charts are held against.
 * @returns {Promise<string>} a folder with `helm4` and `helm3`
 * @throws ProgramsUnavailable with the reason if this machine cannot obtain it
 */
export function ensureHelm() {
  const packages = { helm4: 'helm.sh/helm/v4/cmd/helm', helm3: 'helm.sh/helm/v3/cmd/helm' };
  return ensureGoPrograms('helm', packages, { folder: 'test/peers/helm' });
}

/**
 * Obtains all software that operators are tried with.
 * @param {{ skip(reason: string): void }} tally gets what is unavailable; its tests are skipped visibly
 */
export async function ensureSoftware(tally) {
  const software = {
    ...Object.fromEntries(etcdVersions.map((version) => [`etcd ${version}`, () => ensureEtcd(version)])),
    Redis: ensureRedis,
    Prometheus: ensurePrometheus,
    Alertmanager: ensureAlertmanager,
    'object stores': ensureObjectStores,
    Helm: ensureHelm,
  };
  for (const [title, ensure] of Object.entries(software)) {
    const reason = await reasonOf(ensure());
    if (reason !== undefined) tally.skip(`${title}: ${reason}`);
  }
}

/**
 * @param {Promise<unknown>} programs what one of these functions returns
 * @returns {Promise<string | undefined>} why they are unavailable
 */
export async function reasonOf(programs) {
  const found = await orUnavailable(programs);
  return found instanceof ProgramsUnavailable ? found.message : undefined;
}

/**
 * Returns what is obtained, or the error that says why it is unavailable on this machine: for tests that are skipped then.
 * @template T
 * @param {Promise<T>} programs
 * @returns {Promise<T | ProgramsUnavailable>}
 */
export async function orUnavailable(programs) {
  try {
    return await programs;
  } catch (error) {
    if (error instanceof ProgramsUnavailable) return error;
    throw error;
  }
}
