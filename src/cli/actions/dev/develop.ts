import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DevBuilder, devOutfile } from '../../../compiler/build/index.ts';
import {
  OperatorProcesses,
  OperatorRestarter,
  type OperatorAccess,
  exitCodeOfProcess,
  type Inspection,
  type OperatorSettings,
} from '../../../cluster/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { layout } from '../../../project/project/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { DevLoop, type DevLoopOptions, type DevSummary } from './dev-loop.ts';
import type { HostedWebhooks } from './hosted-webhooks.ts';
import {
  accessStage,
  crdsStage,
  samplesStage,
  sourcesStage,
  webhooksStage,
  type MadeProject,
  type Stage,
} from './stages.ts';

/**
 * Time in milliseconds that the operator has for a graceful shutdown before it is killed. The time is shorter when a debugger is used,
 * because the debugger may have paused the operator indefinitely.
 */
const grace = { usual: 10_000, inspected: 2_000 };

/** Parts of a project that are prepared while its cluster starts. */
export interface DevProject {
  readonly sources: Stage<MadeProject>;
  readonly crds: Stage<readonly PlacedObject[]>;
  readonly samples: Stage<readonly PlacedObject[]> | undefined;
  /** Stage that reads the access rights of the operator. Undefined if the operator runs as the user of the kubeconfig. */
  readonly access: Stage<OperatorAccess> | undefined;
  /** Stage that reads the webhook configurations of the project. Undefined if `op-sdk dev` does not apply them. */
  readonly webhooks: Stage<readonly PlacedObject[]> | undefined;
  close(): Promise<void>;
}

export function openProject(
  context: CliContext,
  options: { readonly samples: boolean; readonly asServiceAccount: boolean; readonly webhooks: boolean },
): DevProject {
  const builder = new DevBuilder(context.cwd);
  return {
    sources: sourcesStage(context, builder),
    crds: crdsStage(context),
    samples: options.samples ? samplesStage(context) : undefined,
    access: options.asServiceAccount ? accessStage(context) : undefined,
    webhooks: options.webhooks ? webhooksStage(context) : undefined,
    close: () => builder.close(),
  };
}

interface DevelopOptions extends Pick<
  DevLoopOptions,
  'signal' | 'bringCrds' | 'bringAccess' | 'applySamples'
> {
  readonly project: DevProject;
  readonly kubeconfig: string | undefined;
  /** Environment variables of the operator; read each time the operator starts. */
  readonly env: NodeJS.ProcessEnv;
  readonly context: string | undefined;
  /** Command-line flags of the operator. */
  readonly flags: readonly string[];
  /** Webhooks that are served on this machine. If undefined, `op-sdk dev` does nothing for webhooks. */
  readonly hosted: HostedWebhooks | undefined;
  /** Settings of Node with which the operator reports to the live page, and finds the names of Pods. */
  readonly settings: readonly OperatorSettings[];
  readonly inspect: Inspection | undefined;
  /** The file descriptor for the operator's standard output. */
  readonly stdout: number;
}

/** Runs the operator and restarts it after each change of a file. When the signal aborts, shuts the operator down gracefully. */
export async function develop(context: CliContext, options: DevelopOptions): Promise<DevSummary> {
  const { report, cwd } = context;
  const { project, inspect, kubeconfig, context: kubeContext, env, flags, stdout, hosted } = options;
  const milliseconds = inspect === undefined ? grace.usual : grace.inspected;
  const processes = await OperatorProcesses.open({
    projectDir: cwd,
    bundle: devOutfile,
    flags,
    report: (message) => report.info(message),
    inspect,
    kubeconfig,
    context: kubeContext,
    env,
    stdout,
    grace: milliseconds,
    nodeFlags: options.settings.flatMap(({ nodeFlags }) => nodeFlags),
    settings: () => {
      const webhooks = hosted?.settings();
      const all = [...options.settings, ...(webhooks === undefined ? [] : [webhooks])];
      return {
        flags: webhooks?.flags ?? [],
        env: Object.fromEntries(all.flatMap(({ env: more }) => Object.entries(more))),
      };
    },
  });
  const restarter = new OperatorRestarter({
    start: () => processes.start(),
    grace: milliseconds,
    onEnded: (exit) =>
      report.warned(
        `the operator ended with exit code ${exitCodeOfProcess(exit)}; the next change starts it again`,
      ),
    onSlow: () => report.step('waiting for the operator to end'),
    onKilled: () => report.warned(`the operator did not end within ${milliseconds / 1000} s and was killed`),
  });
  try {
    const bringWebhooks: DevLoopOptions['bringWebhooks'] = (objects) =>
      hosted?.bringConfigurations(objects) ?? Promise.resolve();
    const waitUntilServed = hosted?.waitUntilServed.bind(hosted);
    const more = { context, restarter, bringWebhooks, waitUntilServed };
    return await new DevLoop({ ...options, ...project, ...more }).run();
  } finally {
    await restarter.close();
    await processes.close();
  }
}

/**
 * Checks that opsdk is installed, because the operator loads it from the project's dependencies.
 * @throws OpSdkError `cluster/dependencies-missing`
 */
export function checkInstalled(root: string): void {
  try {
    createRequire(join(root, layout.packageJson)).resolve('opsdk');
  } catch (error) {
    throw new OpSdkError(
      {
        code: 'cluster/dependencies-missing',
        message: 'opsdk is not installed in this project',
        where: { file: layout.packageJson },
        fix: ['run npm install'],
      },
      { cause: error },
    );
  }
}
