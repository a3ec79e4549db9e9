// A place for a node with real containers: a network, mounts and processes of its own. All of it ends with the command that runs in it,
// however that ends, and what the kernel does not remove by itself (cgroups, a folder) is removed here, also for runs that were killed.
import { accessSync, constants, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.mjs';

const cgroups = '/sys/fs/cgroup';
const controllers = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'];
const prefix = 'op-sdk-cluster-';

/** The name of the folder and the cgroups of this run. */
const name = `${prefix}${process.pid}`;

/** The prefix of a command that runs in it. All of its processes end with the first one, and that one with this process. */
const inside = [
  ...['setpriv', '--pdeathsig', 'SIGKILL'],
  ...['unshare', '--net', '--mount', '--mount-proc', '--pid', '--fork', '--kill-child=SIGKILL'],
  // The first process of a namespace has to wait for those that nobody else waits for.
  ...['sh', '-c', '"$@" & wait $!', 'sh'],
];

/** @returns {Promise<string | undefined>} why there can be no such place here; undefined if there can */
export async function whyNoSandbox() {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid() !== 0) return 'only root can start a node';
  const absent = controllers.filter((controller) => !isThere(join(cgroups, controller, 'cgroup.procs')));
  if (absent.length > 0) return `the cgroup v1 controllers ${absent.join(', ')} are not mounted`;
  const [command, ...args] = [
    ...inside,
    'sh',
    '-c',
    'ip link add probe0 type bridge && mount -t sysfs sysfs /sys',
  ];
  const probe = await run(command, args, { capture: 'all' }).catch((error) => ({
    code: 1,
    output: error.message,
  }));
  return probe.code === 0 ? undefined : `namespaces are unavailable: ${probe.output.trim()}`;
}

function isThere(path) {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes the folder of a run, hands over what is needed to run in the place, and removes everything afterwards.
 * @param {(place: { folder: string, temporary: string, name: string, inside: string[] }) => Promise<void>} action
 *   is given the folder, one in it for temporary files, the name for cgroups, and the prefix of commands
 */
export async function withSandbox(action) {
  await sweep();
  const folder = join(tmpdir(), name);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  // We end when the command has, so that we can remove what it leaves.
  const outlive = () => {};
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, outlive);
  try {
    await action({ folder, temporary, name, inside });
  } finally {
    await sweep();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, outlive);
  }
}

/** Removes what this run and runs that have ended have left. */
async function sweep() {
  const isOver = (found) => found === name || !isRunning(Number(found.slice(prefix.length)));
  // The processes may still be ending.
  for (let tries = 0; tries < 100; tries++) {
    const left = controllers
      .flatMap((controller) => cgroupsIn(join(cgroups, controller)))
      .filter(isOverGroup);
    for (const path of left) removeCgroup(path);
    if (!left.some((path) => isThere(join(path, 'cgroup.procs')))) break;
    await sleep(100);
  }
  for (const found of readdirSync(tmpdir()))
    if (found.startsWith(prefix) && isOver(found))
      rmSync(join(tmpdir(), found), { recursive: true, force: true });

  function isOverGroup(path) {
    return isOver(path.slice(path.lastIndexOf('/') + 1));
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The cgroups of runs, wherever below a controller they are: below that of the process that made them. */
function cgroupsIn(folder) {
  return foldersIn(folder).flatMap((path) =>
    path.startsWith(prefix, path.lastIndexOf('/') + 1) ? [path] : cgroupsIn(path),
  );
}

function foldersIn(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

/** The innermost first; one with processes stays. */
function removeCgroup(path) {
  for (const inner of foldersIn(path)) removeCgroup(inner);
  try {
    rmdirSync(path);
  } catch {
    // It is busy, or gone.
  }
}
