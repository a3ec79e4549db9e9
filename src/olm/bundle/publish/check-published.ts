import type { Finding, FindingList } from '../../../base/errors/index.ts';
import type { FieldPath } from '../validate/types.ts';
import {
  findLoop,
  type CatalogueVersion,
  type PublishedVersions,
  nameParts,
  danglingVersions,
  updateGraph,
} from './catalogue-version.ts';

/** The policy for updates that `ci.yaml` declares. */
export interface UpdatePolicy {
  /** True if each version updates the next lower version, whatever its `replaces` is. */
  readonly isBySemver: boolean;
  /** True if a file-based catalogue defines the updates. The updates that bundles define are then ignored. */
  readonly isFileBased: boolean;
}

/**
 * Checks a new version against the published versions of its operator. Its names must match the published names, and the updates of each
 * channel must form a single path. Source: operator-pipelines `operatorcert/static_tests/{common,community}/{bundle,operator}.py`.
 */
export function checkAgainstPublished(
  fresh: CatalogueVersion,
  { versions, unreadable }: PublishedVersions,
  policy: UpdatePolicy,
  { findings, warnings }: { readonly findings: FindingList; readonly warnings: FindingList },
): void {
  checkNames(fresh, versions, findings, warnings);
  if (policy.isFileBased) return;
  for (const shown of unreadable)
    warnings.add({
      code: 'bundle/publish-updates',
      message: `${shown} cannot be read as a bundle, so updates from and to it were not checked`,
      where: { file: shown },
      fix: [`list its errors: op-sdk bundle validate ${shown}`],
    });
  checkReplaces(fresh, versions, unreadable, findings);
  // Skip the check in semver mode, because each version is then updated to the next version.
  if (!policy.isBySemver) checkUpdates(fresh, [...versions, fresh], findings);
}

function checkNames(
  fresh: CatalogueVersion,
  others: readonly CatalogueVersion[],
  findings: FindingList,
  warnings: FindingList,
): void {
  const path = ['metadata', 'name'];
  for (const [what, key] of [
    ['package', 'packageName'],
    ['operator in the name of the ClusterServiceVersion', 'operator'],
  ] as const) {
    const names = new Set(others.map((other) => other[key]));
    if (names.size === 0 || (names.size === 1 && names.has(fresh[key]))) continue;
    const message = `the ${what} differs between versions: it is ${fresh[key]} in this version, and ${[...names].join(', ')} in others`;
    const list = names.size === 1 ? findings : warnings;
    list.add(
      finding('bundle/publish-name', fresh, path, message, 'keep the name: people have subscribed to it'),
    );
  }
  if (fresh.operator === fresh.packageName) return;
  const message = `expected the name ${fresh.packageName}.v${fresh.version}, after the package, got ${fresh.csv.name}`;
  const list = others.length === 0 ? findings : warnings;
  list.add(
    finding(
      'bundle/publish-name',
      fresh,
      path,
      message,
      `name the package ${fresh.operator}, or rename the ClusterServiceVersion`,
    ),
  );
}

function checkReplaces(
  fresh: CatalogueVersion,
  others: readonly CatalogueVersion[],
  unreadable: readonly string[],
  findings: FindingList,
): void {
  const { replaces, version } = fresh;
  if (replaces === '') return;
  const replaced = nameParts(replaces)[1];
  const refuse = (message: string, fix: string): void =>
    findings.add(finding('bundle/publish-replaces', fresh, ['spec', 'replaces'], message, fix));
  if (replaced === '') {
    refuse(
      `expected <name>.v<version>, got ${JSON.stringify(replaces)}`,
      'write the name of a ClusterServiceVersion',
    );
    return;
  }
  if (replaced === version) {
    refuse(`${fresh.csv.name} replaces its own version`, 'name the version before it');
    return;
  }
  // The version in `replaces` may be the unreadable one, so it is not reported as missing.
  if (unreadable.length > 0 || others.some((other) => other.version === replaced)) return;
  const known = others.map((other) => other.version);
  refuse(
    `the version ${replaced} of ${replaces} is not in the checkout; ${known.length === 0 ? 'it has no version' : `it has ${known.join(', ')}`}`,
    'update the checkout, or publish that version first',
  );
}

function checkUpdates(
  fresh: CatalogueVersion,
  all: readonly CatalogueVersion[],
  findings: FindingList,
): void {
  const channels = new Set(all.flatMap((version) => [...version.channels]));
  for (const channel of [...channels].sort()) {
    const graph = updateGraph(all, channel);
    const loop = findLoop(graph);
    const [to] = loop ?? [];
    const from = loop?.at(-1);
    if (from !== undefined && to !== undefined) {
      const message = `the updates of the channel ${channel} form a loop: they lead from ${to.version} to ${from.version}, and from there back to ${to.version}`;
      findings.add(
        finding(
          'bundle/publish-updates',
          fresh,
          ['spec', 'replaces'],
          message,
          `correct replaces, skips or olm.skipRange of ${to.version} or ${from.version}`,
        ),
      );
    }
    if (!fresh.channels.has(channel) && fresh.defaultChannel !== channel) continue;
    const dangling = danglingVersions(graph).map(({ csv }) => csv.name);
    if (dangling.length === 0) continue;
    findings.add(
      finding(
        'bundle/publish-updates',
        fresh,
        ['spec', 'replaces'],
        `no update in the channel ${channel} leads from ${dangling.join(', ')} to a later version`,
        `generate the bundle with --replaces ${dangling.at(-1) ?? ''}, or with --skips`,
        'or write updateGraph: semver-mode into ci.yaml: versions are updated in their order then',
      ),
    );
  }
}

function finding(
  code: 'bundle/publish-name' | 'bundle/publish-replaces' | 'bundle/publish-updates',
  { csv }: CatalogueVersion,
  path: FieldPath,
  message: string,
  ...fix: readonly string[]
): Finding {
  return { code, message, where: csv.reread().locate(path), fix };
}
