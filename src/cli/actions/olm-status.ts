import type { OlmVersion } from '../../olm/catalog/index.ts';
import { pollCluster } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { findOlms, nameOf, olmState, stateFindings, type OlmState } from '../../olm/install/index.ts';
import type { Action } from '../command.ts';
import type { OlmOptions } from '../flags/olm-flags.ts';
import { textTable } from '../ui/text-table.ts';
import { connect } from './cluster/connect.ts';
import { durationFlag } from './input/duration-flag.ts';
import { expectedObjects } from './olm/expected-objects.ts';
import { wantedRelease } from './olm/olm-release.ts';

/** `op-sdk olm status`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as OlmOptions;
  const wanted = wantedRelease(options);
  const timeout = durationFlag('--timeout', options.timeout, 0);
  const { signal, report } = context;
  const step = (line: string): void => report.step(line);
  const client = await connect(context, options);
  try {
    const expected = await expectedObjects(context, wanted);
    let states: readonly OlmState[] = [];
    const look = async (): Promise<true | undefined> => {
      const found = (await findOlms(client, { signal })).filter(
        ({ olm }) => wanted.olm === undefined || olm === wanted.olm,
      );
      const seen: OlmState[] = [];
      for (const olm of found) seen.push(await olmState(client, olm, await expected.of(olm), { signal }));
      states = seen;
      const isHealthy = states.length > 0 && states.every((each) => stateFindings(each).errors.length === 0);
      if (!isHealthy && timeout > 0) step('waiting for OLM to be healthy');
      return isHealthy ? true : undefined;
    };
    await pollCluster(look, { timeout, interval: 2_000, signal, onProgress: step });
    const findings = states.map(stateFindings);
    return {
      result: { olms: states },
      ...(states.length === 0 ? {} : { text: states.map(textOf).join('\n\n') }),
      warnings: [...expected.warnings, ...findings.flatMap((each) => each.warnings)],
      errors: states.length === 0 ? [notInstalled(wanted.olm)] : findings.flatMap((each) => each.errors),
    };
  } finally {
    await client.close();
  }
};

function notInstalled(olm: OlmVersion | undefined): Finding {
  return {
    code: 'olm/not-installed',
    message: `${olm === undefined ? 'OLM' : `OLM ${olm}`} is not on the cluster`,
    fix: [`install it: op-sdk olm install --olm ${olm ?? 'v0'}`],
  };
}

function textOf({ olm, version, namespace, objects, catalogues }: OlmState): string {
  const title = [
    `OLM ${olm}`,
    version ?? 'of an unknown version',
    ...(namespace === undefined ? [] : [`in namespace ${namespace}`]),
  ].join(' ');
  const rows = objects.map((each) => [
    each.name,
    each.namespace ?? '',
    each.kind,
    each.status === 'Unhealthy' ? `Unhealthy: ${each.reason}` : each.status,
  ]);
  const served = catalogues.map((each) => [nameOf(each), each.serving ? 'served' : 'not served', each.state]);
  return [
    title,
    '',
    textTable([['NAME', 'NAMESPACE', 'KIND', 'STATUS'], ...rows]),
    ...(served.length === 0 ? [] : ['', textTable([['CATALOGUE', 'SERVED', 'STATE'], ...served])]),
  ].join('\n');
}
