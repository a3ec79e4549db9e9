import { setTimeout as sleep } from 'node:timers/promises';
import { startOperator, type OperatorProcess } from '../../../helpers/operator-process.ts';
import type { OperatorProgram } from '../operator-program.ts';
import type { DrillCluster } from '../start-drill.ts';
import type { Inflict } from './run-chaos.ts';

/** User that the operator is for the API server, and in its audit log. */
export const operatorUser = 'operator';

/** An operator in a process of its own, which is killed and started again. */
export class ChaosOperator implements AsyncDisposable {
  readonly #program: OperatorProgram;
  readonly #kubeconfig: string;
  readonly #cluster: DrillCluster;
  #running: OperatorProcess | undefined;
  #output = '';
  #isKilled = false;
  /** Number of times that it has ended by itself. */
  exits = 0;

  private constructor(program: OperatorProgram, cluster: DrillCluster, kubeconfig: string) {
    this.#program = program;
    this.#cluster = cluster;
    this.#kubeconfig = kubeconfig;
  }

  static async start(program: OperatorProgram, cluster: DrillCluster): Promise<ChaosOperator> {
    const { path } = await cluster.plane.userKubeconfig(operatorUser, ['system:masters']);
    const operator = new ChaosOperator(program, cluster, path);
    await operator.#start();
    return operator;
  }

  /** All that it has written, in all its processes. */
  get output(): string {
    return this.#output + (this.#running?.output() ?? '');
  }

  /** Kills its process. Mended by a new one. */
  readonly kill: Inflict = async () => {
    this.#isKilled = true;
    const { process } = this.#running ?? {};
    process?.kill('SIGKILL');
    return { victim: `process ${process?.pid}`, mend: () => this.#start() };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isKilled = true;
    await this.#running?.stop();
  }

  async #start(): Promise<void> {
    const { nodeFlags, env } = this.#cluster.plane.workloads.programSettings;
    this.#output = this.output;
    this.#isKilled = false;
    const running = await startOperator(
      this.#program.folder,
      this.#kubeconfig,
      [],
      { ...env, ENABLE_WEBHOOKS: 'false' },
      [process.execPath, ...nodeFlags],
    );
    this.#running = running;
    running.process.once('exit', () => {
      if (this.#isKilled || this.#running !== running) return;
      this.exits += 1;
      // As a kubelet would.
      void sleep(1000).then(() => (this.#isKilled ? undefined : this.#start()));
    });
  }
}
