import {
  accountUser,
  bringAccess,
  OperatorIdentity,
  type OperatorAccess,
} from '../../../cluster/identity/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { CliContext } from '../../command.ts';

/** The identity under which an operator runs here, and how it gets its roles. */
export interface DevAccount extends AsyncDisposable {
  /** For the operator. */
  readonly kubeconfig: string;
  /** For the operator, too: with the WATCH_NAMESPACE of its Deployment, once that is known, unless ours says another. */
  readonly env: NodeJS.ProcessEnv;
  /** Brings the ServiceAccount and its roles to the cluster. @throws OpSdkError */
  readonly bring: (access: OperatorAccess) => Promise<void>;
}

/** @param client whoever develops: it may write roles and request tokens */
export async function openAccount(
  { report, signal, env }: CliContext,
  client: KubeClient,
): Promise<DevAccount> {
  const identity = await OperatorIdentity.open({
    client,
    onProblem: ({ message }) => report.warned(`the operator's token could not be renewed: ${message}`),
  });
  let known: string | undefined;
  const ofOperator = { ...env };
  return {
    kubeconfig: identity.kubeconfig,
    env: ofOperator,
    bring: async (access) => {
      await bringAccess({
        client,
        access,
        identity,
        signal,
        onOutcome: ({ action }, { title }) => {
          if (action === 'configured') report.step(`${title} ${action}`);
        },
        onWarning: (warning) => report.warn(warning),
      });
      const namespace = env['WATCH_NAMESPACE'] ?? access.watchNamespace;
      if (namespace !== undefined) ofOperator['WATCH_NAMESPACE'] = namespace;
      const user = accountUser(access.account);
      if (user !== known) report.info(`the operator runs as ${report.paint('strong', user)}`);
      known = user;
    },
    [Symbol.asyncDispose]: () => identity.close(),
  };
}
