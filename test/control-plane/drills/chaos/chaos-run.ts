import type { DrillCluster } from '../start-drill.ts';
import type { ChaosOperator } from './chaos-operator.ts';
import type { PodFaults } from './pod-faults.ts';
import { runChaos, type Lane } from './run-chaos.ts';
import { formatPlan, planFaults, type LanePlan } from './schedule.ts';
import { WriteLedger, writeUntil, type Verdict } from './write-ledger.ts';

/** Seconds of faults. `CHAOS_SECONDS` sets them. */
const seconds = Number(process.env['CHAOS_SECONDS'] ?? '60');

/** Chooses the faults: `CHAOS_SEED` repeats those of another run. */
const seed = Number(process.env['CHAOS_SEED'] ?? '1');

/** Milliseconds that a cluster may take to be in order again after all faults. */
export const healing = { timeout: 180_000 };

/** Milliseconds that a test of chaos may take, with what is before the faults and after them. */
export const chaosTimeout = seconds * 1000 + 2 * healing.timeout + 60_000;

type PlannedLane = Pick<Lane, 'mayOverlap'> & { readonly plan: LanePlan };

/** Faults of what every cluster has. */
const control: PlannedLane = {
  plan: {
    name: 'control',
    gap: [4000, 12_000],
    kinds: {
      'kill-operator': { weight: 3, lasts: [0, 5000] },
      'kill-api-server': { weight: 1, lasts: [500, 4000] },
    },
  },
  mayOverlap: false,
};

interface ChaosRunOptions {
  /** Title in what is printed. */
  readonly title: string;
  readonly cluster: DrillCluster;
  readonly operator: ChaosOperator;
  /** Faults of the software, beside those of the operator and the API server. */
  readonly lane: PlannedLane;
  readonly pods: PodFaults;
  /** Writers, each of which has one write on its way. They reject unless the store has confirmed it. */
  readonly puts: readonly ((key: string, value: string) => Promise<unknown>)[];
  /** Resolves once the cluster is in order. */
  readonly untilHealthy: () => Promise<unknown>;
  /** Describes the cluster for whoever reads the output of a failed run. */
  readonly describe: () => Promise<string>;
  /** Reads what is there of all keys that were written. */
  readonly readAll: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * Writes while faults happen, waits until the cluster is in order again, and looks for the writes. Prints the plan, the result, and all
 * that has happened if it fails.
 */
export async function chaosRun(options: ChaosRunOptions): Promise<Verdict> {
  const { title, cluster, operator, lane, pods, puts, untilHealthy, readAll } = options;
  console.log(`${title}: CHAOS_SEED=${seed} CHAOS_SECONDS=${seconds}`);
  const planned = [lane, control].map(({ plan, mayOverlap }) => {
    const faults = planFaults(plan, { seed, seconds });
    console.log(`  ${plan.name}: ${formatPlan(faults)}`);
    return { faults, mayOverlap };
  });
  const journal: string[] = [];
  const report = (line: string): void => void journal.push(line);
  const print = async (ledger?: WriteLedger): Promise<void> => {
    console.log(journal.join('\n'));
    for (const [error, count] of ledger?.errors ?? []) console.log(`${count} writes: ${error}`);
    console.log(operator.output.slice(-20_000));
    console.log(await options.describe().catch(String));
  };
  try {
    await untilHealthy();
    const ledger = new WriteLedger();
    const end = new AbortController();
    const writing = writeUntil(ledger, puts, { signal: end.signal });
    const counts = await runChaos({
      lanes: planned,
      inflict: {
        'kill-operator': operator.kill,
        'kill-api-server': async () => {
          await cluster.plane.killApiServer('SIGKILL');
          return { victim: '', mend: () => cluster.plane.restartApiServer() };
        },
        'kill-process': pods.killProcess,
        'delete-pod': pods.deletePod,
        'force-delete-pod': pods.forceDeletePod,
        'stop-node': pods.stopNode,
      },
      seconds,
      report,
    });
    const healingBegan = performance.now();
    await untilHealthy();
    report(`in order after ${((performance.now() - healingBegan) / 1000).toFixed(1)} s`);
    end.abort();
    await writing;
    const verdict = ledger.judge(await readAll(ledger.keys));
    console.log(summary(title, counts, verdict));
    if (verdict.lost.length + verdict.wrong.length > 0) await print(ledger);
    return verdict;
  } catch (error) {
    await print();
    throw error;
  }
}

function summary(title: string, counts: Readonly<Record<string, number>>, verdict: Verdict): string {
  const { acknowledged, unconfirmed, unconfirmedFound, lost, wrong } = verdict;
  const faults = Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .sort();
  return [
    `${title}, seed ${seed}, ${seconds} s: ${faults.join(', ')}`,
    `${acknowledged} writes acknowledged, ${unconfirmed} unconfirmed (${unconfirmedFound} of them there)`,
    `${lost.length} lost, ${wrong.length} wrong`,
  ].join('; ');
}
