import { createHash } from 'node:crypto';
import { relative, sep } from 'node:path';
import { isOpSdkError, type Finding, type FindingCode } from '../../../base/errors/index.ts';
import { changedPaths, mergeObservations, type Observations } from '../../../base/util/observe-files.ts';
import { nextChange } from '../../../base/util/watch-observed.ts';
import { countText } from '../../../base/util/words.ts';
import type { OperatorAccess, OperatorRestarter } from '../../../cluster/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { reportWarnings } from '../../ui/reporter.ts';
import { writeBundle } from '../files/apply-plan.ts';
import type { MadeProject, Stage } from './stages.ts';
import { diffCrds, readDefinitions, type CrdChange } from '../../../kubernetes/crd/index.ts';
import { projectWord } from '../../flags/words.ts';

export interface DevLoopOptions {
  readonly context: CliContext;
  /** Signal that ends the development loop when it is aborted. */
  readonly signal: AbortSignal;
  readonly sources: Stage<MadeProject>;
  readonly crds: Stage<readonly PlacedObject[]>;
  /** Stage that reads the samples of the project. If undefined, no samples are applied. */
  readonly samples?: Stage<readonly PlacedObject[]> | undefined;
  /**
   * Stage that reads the ServiceAccount and roles under which the operator runs. Default: the operator runs as the user of the kubeconfig.
   */
  readonly access?: Stage<OperatorAccess> | undefined;
  /** Stage that reads the webhook configurations of the project. If undefined, the loop does not apply webhook configurations. */
  readonly webhooks?: Stage<readonly PlacedObject[]> | undefined;
  /** Applies the given CustomResourceDefinitions to the cluster, or checks that the cluster already has them. @throws OpSdkError */
  readonly bringCrds: (objects: readonly PlacedObject[]) => Promise<void>;
  /**
   * Applies samples to the cluster.
   * @param crdsChanged true if the CustomResourceDefinitions of the samples were changed just before
   * @throws OpSdkError
   */
  readonly applySamples?: (objects: readonly PlacedObject[], crdsChanged: boolean) => Promise<void>;
  /** Applies the operator's ServiceAccount and its roles to the cluster. @throws OpSdkError */
  readonly bringAccess?: ((access: OperatorAccess) => Promise<void>) | undefined;
  /** Applies webhook configurations to the cluster. @throws OpSdkError */
  readonly bringWebhooks?: ((objects: readonly PlacedObject[]) => Promise<void>) | undefined;
  /** Waits until a newly started operator serves its webhooks. `runs` returns true while the operator is running. */
  readonly waitUntilServed?: ((runs: () => boolean) => Promise<void>) | undefined;
  readonly restarter: OperatorRestarter;
}

/** Summary of a development loop that has ended. */
export interface DevSummary {
  /** Number of times that the operator was started. */
  readonly starts: number;
}

/** Delay in milliseconds before a step that failed on the cluster is retried, if no file changes earlier. */
const retryAfter = 3_000;

/** Maximum number of changed files that one output line names. */
const shownFiles = 3;

/**
 * Updates the cluster and the operator when files change: applies the manifests and restarts the operator, until the signal aborts. If a
 * part of the project has errors, the errors are reported and this part is not applied. The operator that was built last without errors
 * keeps running.
 */
export class DevLoop {
  readonly #options: DevLoopOptions;
  #done: DevState = {
    crds: undefined,
    samples: undefined,
    access: undefined,
    webhooks: undefined,
    bundle: undefined,
  };
  /** CustomResourceDefinitions that were applied most recently. */
  #crds: readonly PlacedObject[] = [];
  #starts = 0;
  /** Errors of the stages and steps that failed in the last round; empty if everything succeeded. */
  #failures: readonly Finding[] = [];
  #reportedWarnings: ReadonlySet<string> = new Set();
  #reportedFailures = '';

  constructor(options: DevLoopOptions) {
    this.#options = options;
  }

  /**
   * Runs the loop until the signal aborts.
   * @throws errors that come neither from the project nor from the cluster
   */
  async run(): Promise<DevSummary> {
    const { signal } = this.#options;
    let isChange = true;
    while (!signal.aborted) {
      await this.#round(isChange).catch((error: unknown) => {
        // Aborting the signal makes pending work fail, so errors after the abort are ignored.
        if (!signal.aborted) throw error;
      });
      if (signal.aborted) break;
      isChange = await this.#waitForChange();
    }
    return { starts: this.#starts };
  }

  /**
   * Waits for a changed file, or until failed steps are due for a retry.
   * @returns true if a file changed; false if the failed steps are to be retried
   */
  async #waitForChange(): Promise<boolean> {
    const { signal } = this.#options;
    const seen = this.#stages().map((stage) => stage.seen);
    // `seen` is undefined if a file changed while the stage read it.
    if (seen.includes(undefined)) return true;
    const all = mergeObservations(seen.filter((each) => each !== undefined));
    const retry = this.#failures.some(mayPass);
    const until = retry ? AbortSignal.any([signal, AbortSignal.timeout(retryAfter)]) : signal;
    if (!(await nextChange(all, until))) return false;
    this.#sayChanged(all);
    return true;
  }

  #stages(): readonly Stage<unknown>[] {
    const { sources, crds, access, webhooks, samples } = this.#options;
    return [sources, crds, ...[access, webhooks, samples].filter((stage) => stage !== undefined)];
  }

  #reportBreaking(crds: readonly PlacedObject[]): void {
    const text = breakingChanges(this.#crds, crds);
    if (text !== undefined) this.#options.context.report.warned(text);
    this.#crds = crds;
  }

  #sayChanged(seen: Observations): void {
    const { report, cwd } = this.#options.context;
    const names = changedPaths(seen).map((path) => relative(cwd, path).split(sep).join('/'));
    if (names.length === 0) return;
    const more = names.length > shownFiles ? ` and ${names.length - shownFiles} more` : '';
    report.step(`${names.slice(0, shownFiles).join(', ')}${more} changed`);
  }

  async #round(isChange: boolean): Promise<void> {
    const { sources, crds, access, webhooks, samples, restarter, waitUntilServed } = this.#options;
    const isNew = await sources.run();
    // The sources stage runs before the other stages, because it writes some of the files that the other stages read.
    await crds.run();
    await access?.run();
    await webhooks?.run();
    await samples?.run();
    const made = sources.value;
    if (isNew && made !== undefined) this.#reportWarnings(made.warnings);
    const isLost = access !== undefined && access.value === undefined;
    const wanted: DevState = {
      crds: made === undefined ? undefined : textOf(crds.value),
      samples: textOf(samples?.value),
      access: accessText(access?.value),
      webhooks: made === undefined ? undefined : textOf(webhooks?.value),
      bundle: made === undefined || crds.value === undefined || isLost ? undefined : hashOf(made),
    };
    const steps = nextSteps(this.#done, wanted, restarter.running || !isChange);
    const failures = this.#stages().flatMap((stage) => stage.findings ?? []);
    let blocked = false;
    if (steps.installCrds && crds.value !== undefined) {
      const objects = crds.value;
      blocked = !(await this.#step(failures, () => this.#options.bringCrds(objects)));
      if (!blocked) {
        this.#reportBreaking(objects);
        this.#done = { ...this.#done, crds: wanted.crds };
      }
    }
    if (steps.bringAccess && access?.value !== undefined && !blocked) {
      const operator = access.value;
      blocked = !(await this.#step(failures, async () => this.#options.bringAccess?.(operator)));
      if (!blocked) this.#done = { ...this.#done, access: wanted.access };
    }
    if (steps.bringWebhooks && webhooks?.value !== undefined && !blocked) {
      const objects = webhooks.value;
      blocked = !(await this.#step(failures, async () => this.#options.bringWebhooks?.(objects)));
      if (!blocked) this.#done = { ...this.#done, webhooks: wanted.webhooks };
    }
    if (steps.restart && made !== undefined && !blocked) {
      await this.#step(failures, () => this.#restart(made, wanted.bundle));
    }
    // Samples are applied last, so that an invalid sample does not block anything else. They are skipped if an earlier step failed, because
    // they may need its result, such as a CustomResourceDefinition.
    if (steps.applySamples && samples?.value !== undefined && !blocked) {
      const objects = samples.value;
      const { applySamples } = this.#options;
      if (steps.restart) await waitUntilServed?.(() => restarter.running);
      const done = await this.#step(failures, async () => applySamples?.(objects, steps.installCrds));
      this.#done = { ...this.#done, samples: done ? wanted.samples : undefined };
    }
    this.#finish(failures, isChange);
  }

  /** Runs one step of a round. If the step fails, appends its errors to `failures`. */
  async #step(failures: Finding[], step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      if (this.#options.signal.aborted || !isOpSdkError(error)) throw error;
      failures.push(...error.findings);
      return false;
    }
  }

  async #restart({ bundle }: MadeProject, hash: string | undefined): Promise<void> {
    const { context, restarter } = this.#options;
    const { report } = context;
    const wasRunning = restarter.running;
    const started = await restarter.restart(() => writeBundle(context, bundle));
    if (!started) return;
    this.#done = { ...this.#done, bundle: hash };
    this.#starts += 1;
    report.step(wasRunning ? 'restarted the operator' : 'started the operator');
  }

  #finish(failures: readonly Finding[], isChange: boolean): void {
    const { context, restarter } = this.#options;
    const { report } = context;
    if (this.#failures.length > 0 && failures.length === 0) report.step('all errors are mended');
    this.#failures = failures;
    const text = JSON.stringify(failures);
    // If a retry fails with the same errors as before, the errors are not reported again.
    if (!isChange && text === this.#reportedFailures) return;
    this.#reportedFailures = text;
    for (const finding of failures) report.error(finding);
    if (failures.length > 0) {
      report.warned(
        `${countText(failures.length, 'error')}; ${restarter.running ? 'the last good operator keeps running' : 'no operator runs'}`,
      );
    }
    if (isChange) report.info(report.paint('dim', 'waiting for changes; Ctrl-C ends'));
  }

  /** Reports the warnings that were not among the warnings of the previous call. */
  #reportWarnings(warnings: readonly Finding[]): void {
    const fresh = warnings.filter((warning) => !this.#reportedWarnings.has(JSON.stringify(warning)));
    reportWarnings(this.#options.context.report, fresh);
    this.#reportedWarnings = new Set(warnings.map((warning) => JSON.stringify(warning)));
  }
}

function textOf(objects: readonly PlacedObject[] | undefined): string | undefined {
  return objects === undefined ? undefined : JSON.stringify(objects.map(({ object }) => object));
}

function accessText(access: OperatorAccess | undefined): string | undefined {
  return access === undefined
    ? undefined
    : `${JSON.stringify(access.account)} ${textOf(access.objects) ?? ''}`;
}

function hashOf({ bundle }: MadeProject): string {
  const hash = createHash('sha256');
  for (const { path, content } of bundle.files) hash.update(`${path}\0${content.length}\0${content}`);
  return hash.digest('base64url');
}

const passing: ReadonlySet<string> = new Set([
  'cluster/being-deleted',
  'cluster/crd-not-established',
  'cluster/crd-not-installed',
  'cluster/crd-not-served',
  'cluster/kind-not-served',
  'cluster/namespace-missing',
  'cluster/unknown-kind',
  'cluster/version-not-served',
  'cluster/webhook-failed',
  'cluster/webhooks-exist',
] satisfies FindingCode[]);

/** Returns true if a step that failed with this finding may succeed later although no file changes. */
function mayPass({ code }: Finding): boolean {
  return code.startsWith('kube/') || passing.has(code);
}

/**
 * State of the cluster and the operator, either actual or wanted. Each field is a text that identifies the content of a part: two texts are
 * equal if and only if the contents are equal.
 */
export interface DevState {
  /** State of the CustomResourceDefinitions. */
  readonly crds: string | undefined;
  /** State of the samples; undefined if no samples are applied. */
  readonly samples: string | undefined;
  /** State of the webhook configurations; undefined if the loop does not apply any. */
  readonly webhooks: string | undefined;
  /** State of the operator's ServiceAccount and roles; undefined if the operator runs as another user. */
  readonly access: string | undefined;
  /** State of the bundled operator code. */
  readonly bundle: string | undefined;
}

/** Steps that a change requires, in the order in which they are executed. */
export interface NextSteps {
  readonly installCrds: boolean;
  readonly bringAccess: boolean;
  readonly bringWebhooks: boolean;
  readonly restart: boolean;
  readonly applySamples: boolean;
}

/**
 * Returns the steps that bring the cluster and the operator to the state that the files define.
 * @param done the current state
 * @param wanted the state that the files define; a part whose files have errors is undefined and stays unchanged
 * @param running true if an operator is running; an operator that ended by itself is started again with the next change
 */
export function nextSteps(done: DevState, wanted: DevState, running: boolean): NextSteps {
  const differs = (part: keyof DevState): boolean =>
    wanted[part] !== undefined && wanted[part] !== done[part];
  const installCrds = differs('crds');
  const bringAccess = differs('access');
  const bringWebhooks = differs('webhooks');
  // The operator needs its CRDs, roles and webhook configurations when it starts, so a change of any of these requires a restart.
  const hasOther = installCrds || bringAccess || bringWebhooks;
  return {
    installCrds,
    bringAccess,
    bringWebhooks,
    // After a definition changes, watches that were opened before may lack the new fields, so the operator must restart to list the objects
    // again. A restart is also needed after a change of roles, because the operator retries forbidden requests only when it starts.
    restart: wanted.bundle !== undefined && (differs('bundle') || hasOther || !running),
    // Samples are also applied again after a changed definition, because a sample may need the new definition of its kind.
    applySamples: differs('samples') || (installCrds && wanted.samples !== undefined),
  };
}

/** Maximum number of breaking changes that one output line names. */
const shown = 3;

/**
 * Returns a warning about definitions that change in a breaking way. For example, if a field is renamed, the API server drops the value of
 * the old field from existing objects.
 * @returns undefined if no definition changes in a breaking way
 */
export function breakingChanges(
  old: readonly PlacedObject[],
  now: readonly PlacedObject[],
): string | undefined {
  const changes = diffCrds(definitionsOf(old, 'old'), definitionsOf(now, 'new'));
  const breaking = changes.filter(({ severity }) => severity === 'breaking');
  if (breaking.length === 0) return undefined;
  const more = breaking.length > shown ? `, and ${breaking.length - shown} more` : '';
  return (
    `breaking for users and stored objects, once released: ${breaking.slice(0, shown).map(summaryOf).join('; ')}${more}. ` +
    `A further version with a conversion keeps both forms (op-sdk create api); see op-sdk crd diff git:HEAD ${projectWord}`
  );
}

function definitionsOf(objects: readonly PlacedObject[], side: 'old' | 'new') {
  const documents = objects.map(({ object, where }) => ({ value: object, locate: () => where }));
  return readDefinitions(documents, side).definitions;
}

function summaryOf({ crd, version, path, message }: CrdChange): string {
  return `${crd}${version === undefined ? '' : ` ${version}`} ${path}: ${message}`;
}
