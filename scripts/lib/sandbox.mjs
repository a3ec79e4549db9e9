// A place for a node with real containers: a network, mounts and processes of its own. All of it ends with the command that runs in it,
// however that ends, and what the kernel does not remove by itself (cgroups, a folder) is removed here, also for runs that were killed.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root, run } from './run.mjs';

const cgroups = '/sys/fs/cgroup';
const controllers = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'];
const prefix = 'op-sdk-cluster-';
const ofARun = new RegExp(`^${prefix}\\d+$`);

/** The name of the folder and the cgroups of this run. */
const name = `${prefix}${process.pid}`;

/** The prefix of a command that runs in it. All of its processes end with the first one, and that one with this process. */
const inside = [
  ...['setpriv', '--pdeathsig', 'SIGKILL'],
  ...['unshare', '--net', '--mount', '--mount-proc', '--pid', '--fork', '--kill-child=SIGKILL'],
  // The first process of a namespace has to wait for those that nobody else waits for.
  ...['sh', '-c', '"$@" & wait $!', 'sh'],
];

/** Seconds for the probe, and the bytes that images and containers may need. */
const probeLimit = 120;
const bytesNeeded = 3e9;
/** The longest path of a socket is 107 characters; the bed's own names take less than these. */
const longestFolder = 60;

/** @returns {Promise<string | undefined>} why there can be no such place here; undefined if there can */
export async function whyNoSandbox() {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid() !== 0) return 'only root can start a node';
  const reason = whyNoCgroups() ?? whyNoFolder(tmpdir());
  if (reason !== undefined) return reason;
  let said = '';
  await withSandbox(async ({ folder }) => {
    const [command, ...args] = [...inside, 'sh', join(root, 'test/cluster/bed/probe.sh'), name, folder];
    const options = { capture: 'all', limit: probeLimit };
    const probe = await run(command, args, options).catch((error) => ({ code: 1, output: error.message }));
    if (probe.code !== 0) said = probe.output.trim() || `the probe ended with exit code ${probe.code}`;
  });
  return said === '' ? undefined : `the kernel does not allow a node: ${said}`;
}

/**
 * @param {string} [folder] where cgroups are mounted
 * @returns {string | undefined} why a node cannot have cgroups here
 */
export function whyNoCgroups(folder = cgroups) {
  const absent = controllers.filter((controller) => !isThere(join(folder, controller, 'cgroup.procs')));
  if (absent.length === 0) return undefined;
  const needed = 'the node of these tests needs the controllers of cgroup v1';
  return existsSync(join(folder, 'cgroup.controllers'))
    ? `this machine has cgroup v2 alone, and ${needed}`
    : `${needed}; not mounted or not writable: ${absent.join(', ')}`;
}

function whyNoFolder(folder) {
  if (folder.length > longestFolder)
    return `the path of the folder for temporary files is too long for the sockets in it: ${folder}`;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < bytesNeeded
    ? `${folder} has less than ${bytesNeeded / 1e9} GB of free space`
    : undefined;
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
  let received;
  const outlive = (signal) => (received = signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, outlive);
  try {
    await action({ folder, temporary, name, inside });
  } finally {
    await sweep();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, outlive);
    if (received !== undefined) process.kill(process.pid, received);
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
    if (ofARun.test(found) && isOver(found))
      rmSync(join(tmpdir(), found), { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

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
    ofARun.test(path.slice(path.lastIndexOf('/') + 1)) ? [path] : cgroupsIn(path),
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
