import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { LiveSession, serveLive, type OperatorSettings } from '../../../cluster/index.ts';
import type { PageServer } from '../../../base/pages/index.ts';
import type { CliContext } from '../../command.ts';
import type { DevTarget } from './open-target.ts';

/** Live page that `op-sdk dev --ui` serves. */
export class LiveUi {
  readonly #session: LiveSession;
  readonly #server: PageServer;

  private constructor(session: LiveSession, server: PageServer) {
    this.#session = session;
    this.#server = server;
  }

  /** Starts the server of the live page and prints the address of the page. */
  static async open(
    context: CliContext,
    { client, workloads }: DevTarget,
    projectName: string,
  ): Promise<LiveUi> {
    const session = await LiveSession.open(projectName, client, workloads);
    const server = await serveLive(session);
    context.report.step(`the page is at ${server.url}`);
    return new LiveUi(session, server);
  }

  /** Settings with which the operator's process reports to the live page. */
  get operatorSettings(): OperatorSettings {
    return this.#session.operatorSettings;
  }

  /** Shows the given kinds on the page. Called whenever the definitions of the kinds have changed. */
  follow(kinds: readonly Resource<KubeObject>[]): void {
    this.#session.follow(kinds);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    await this.#session.close();
  }
}
