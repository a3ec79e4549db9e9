import { defineCommand, type CliContext } from '../command.ts';
import { clusterFlags, type ClusterOptions } from '../flags/cluster-flags.ts';
import { diagnose, type CheckResult, type DoctorWorld } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { countText } from '../../base/util/words.ts';
import { generateManifests } from '../../compiler/manifests/index.ts';
import { parseReference, asksForCredentials, findCredentials } from '../../images/index.ts';
import { changeFor } from '../../project/scaffold/index.ts';
import { packageInfo } from '../package-info.ts';
import type { Style } from '../ui/reporter.ts';
import { connect } from '../actions/cluster/connect.ts';
import { renderManifests, staleManifests } from '../actions/manifests/manifest-changes.ts';

export const command = defineCommand({
  flags: {
    ...clusterFlags,
  },
  help: `
Checks this machine, the project in this folder, the cluster of your kubeconfig and the operator on it.
Each check is ok, a warning, a problem, or skipped with the reason; the exit code is 1 if there is a problem.
It changes nothing. --quiet prints only warnings and problems.`,
  async run(context, options) {
    const show = (result: CheckResult): void => {
      if (options.quiet === true && ['ok', 'skipped'].includes(result.status)) return;
      for (const line of linesOf(result, context.report)) context.print(line);
    };
    const results = await diagnose(worldOf(context, options), show);
    const count = (status: CheckResult['status']): number =>
      results.filter((result) => result.status === status).length;
    const summary = {
      ok: count('ok'),
      warnings: count('warning'),
      problems: count('problem'),
      skipped: count('skipped'),
    };
    context.report.info(
      `${summary.ok} ok, ${countText(summary.warnings, 'warning')}, ${countText(summary.problems, 'problem')}, ${summary.skipped} skipped`,
    );
    const isJson = options.output === 'json';
    return {
      result: { checks: results, summary },
      // The human-readable report already has a line for every problem, so warnings and errors are added only for JSON.
      ...(isJson ? { warnings: findingsOf(results, 'warning'), errors: findingsOf(results, 'problem') } : {}),
      exitCode: summary.problems === 0 ? 0 : 1,
    };
  },
});

const styles: Readonly<Record<CheckResult['status'], Style>> = {
  ok: 'good',
  warning: 'warning',
  problem: 'severity',
  skipped: 'dim',
};

const columns = { status: 9, name: 18 } as const;

/** Returns one line for the result of a check, and one line for each fix. */
function linesOf(
  { status, name, message, code, fix = [] }: CheckResult,
  report: CliContext['report'],
): readonly string[] {
  const shown = code === undefined ? '' : ` [${report.paint('code', code)}]`;
  const margin = ' '.repeat(columns.status + columns.name);
  return [
    `${report.paint(styles[status], status.padEnd(columns.status))}${name.padEnd(columns.name)}${message}${shown}`,
    ...fix.map((line) => `${margin}${report.paint('fix', 'fix')}: ${line}`),
  ];
}

function findingsOf(results: readonly CheckResult[], wanted: CheckResult['status']): readonly Finding[] {
  return results.flatMap(({ status, code, message, fix = [] }) =>
    status === wanted && code !== undefined ? [{ code, message, fix }] : [],
  );
}

function worldOf(context: CliContext, options: ClusterOptions): DoctorWorld {
  const { cwd, env, signal } = context;
  return {
    cwd,
    env,
    signal,
    nodeVersion: context.nodeVersion,
    sdkVersion: packageInfo().version,
    connect: () => connect(context, options),
    outdatedManifests: () => outdatedManifests(cwd),
    async registryOf(image) {
      const reference = parseReference(image);
      const { secret } = await findCredentials(reference, { env, signal });
      return { registry: reference.registry, hasCredentials: secret !== undefined };
    },
    asksForCredentials: (registry) => asksForCredentials(registry, { env, signal }),
  };
}

/** Returns the files that `generate manifests --check` would report as outdated. */
async function outdatedManifests(cwd: string): Promise<readonly string[]> {
  const rendered = await renderManifests(generateManifests({ projectDir: cwd }).files);
  const written = await Promise.all(rendered.map((file) => changeFor(cwd, file)));
  const stale = await staleManifests(cwd, rendered);
  return [...written, ...stale.changes]
    .filter(({ action }) => action !== 'unchanged')
    .map(({ path }) => path);
}
