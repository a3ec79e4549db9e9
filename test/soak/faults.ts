import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '../../src/testing/index.ts';
import type { Replica } from './replicas.ts';

/** A fault that begins, lasts for a time and is mended. Milliseconds, at most; each is drawn at random. */
export interface Fault {
  readonly name: string;
  readonly lasts: number;
  begin(): void | Promise<void>;
  mend?(): void | Promise<void>;
}

/**
 * The faults of the soak.
 * @param steady it is neither killed, stopped nor blocked
 */
export function faultsOf(
  plane: ControlPlane,
  replicas: readonly Replica[],
  steady: Replica,
): readonly Fault[] {
  const fragile = replicas.filter((replica) => replica !== steady);
  return [
    {
      name: 'API server killed',
      lasts: 14_000,
      begin: () => plane.killApiServer('SIGKILL'),
      mend: () => plane.restartApiServer(),
    },
    {
      name: 'API server drained',
      lasts: 2_000,
      begin: () => plane.killApiServer('SIGTERM'),
      mend: () => plane.restartApiServer(),
    },
    {
      name: 'etcd paused',
      lasts: 12_000,
      begin: () => signalEtcd(plane, 'SIGSTOP'),
      mend: () => signalEtcd(plane, 'SIGCONT'),
    },
    ...replicas.flatMap(({ name, proxy, ...replica }): readonly Fault[] => [
      {
        name: `connections of ${name} cut in the middle of a frame`,
        lasts: 1_000,
        begin: () => proxy.cutAfter(37),
      },
      {
        name: `connections of ${name} frozen`,
        // The steady one has to live long enough to be measured.
        lasts: name === steady.name ? 5_000 : 20_000,
        begin: () => proxy.freeze(),
        // What it held is dropped.
        mend: () => proxy.cut(),
      },
      {
        name: `credential plugin of ${name} hangs`,
        lasts: name === steady.name ? 3_000 : 40_000,
        begin: () => replica.hangPlugin(true),
        mend: () => replica.hangPlugin(false),
      },
      {
        name: `${name} cut off`,
        lasts: name === steady.name ? 5_000 : 14_000,
        begin() {
          proxy.refuse(true);
          proxy.cut();
        },
        mend: () => proxy.refuse(false),
      },
    ]),
    ...fragile.flatMap((replica): readonly Fault[] => [
      { name: `${replica.name} killed`, lasts: 1_000, begin: () => replica.kill('SIGKILL') },
      { name: `${replica.name} asked to stop`, lasts: 1_000, begin: () => replica.kill('SIGTERM') },
      {
        name: `${replica.name} stopped`,
        lasts: 25_000,
        begin: () => replica.kill('SIGSTOP'),
        mend: () => replica.kill('SIGCONT'),
      },
      { name: `${replica.name} blocked for 20 s`, lasts: 21_000, begin: () => replica.block(20_000) },
    ]),
  ];
}

/** Lets one fault after another happen until the time is over; the last one is mended. @returns how often each happened */
export async function runFaults(
  faults: readonly Fault[],
  {
    until,
    random,
    report,
  }: { readonly until: number; readonly random: () => number; readonly report: (line: string) => void },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  while (performance.now() < until) {
    const fault = faults[Math.floor(random() * faults.length)];
    if (fault === undefined) break;
    const lasts = Math.min(fault.lasts * (0.3 + 0.7 * random()), Math.max(0, until - performance.now()));
    report(`${fault.name} for ${(lasts / 1000).toFixed(1)} s`);
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    await fault.begin();
    try {
      await sleep(lasts);
    } finally {
      await fault.mend?.();
    }
    await sleep(Math.min(4_000 * random(), Math.max(0, until - performance.now())));
  }
  return counts;
}

/** The etcd of this control plane: the process that names its folder. */
async function signalEtcd({ folder }: ControlPlane, signal: NodeJS.Signals): Promise<void> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [program = '', ...args] = command.split('\0');
    if (program.endsWith('/etcd') && args.some((arg) => arg.includes(folder))) found.push(Number(pid));
  }
  if (found.length !== 1) throw new Error(`expected one etcd of ${folder}, got ${found.length}`);
  for (const pid of found) process.kill(pid, signal);
}
