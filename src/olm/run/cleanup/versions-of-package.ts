import type { KubeObject } from '../../../sdk/api/index.ts';
import { fieldAt, textOf } from '../../bundle/validate/fields.ts';
import { isSameOperator } from './former-versions.ts';
import { isOfOtherPackage } from './package-label.ts';

/** Clues to the package of the ClusterServiceVersions of a namespace. */
export interface VersionClues {
  /** Label of the package. */
  readonly label: string;
  /** To the package. */
  readonly subscriptions: readonly KubeObject[];
  /** Names in the InstallPlans of the package, among them those of the operators that it depends on. */
  readonly planned: readonly string[];
  /** The other Subscriptions of the namespace; OLM makes one for each dependency. */
  readonly others: readonly KubeObject[];
  /** The ClusterServiceVersions of the namespace. */
  readonly operators: readonly KubeObject[];
}

/** The names of a package's own ClusterServiceVersions, also of those that are still to come: not of what it depends on. */
export function versionsOfPackage(clues: VersionClues): ReadonlySet<string> {
  const { label, planned, operators } = clues;
  const subscribed = clues.subscriptions.flatMap((each) => [
    textOf(fieldAt(each, 'status', 'installedCSV')),
    textOf(fieldAt(each, 'status', 'currentCSV')),
  ]);
  const labelled = operators.filter(({ metadata }) => metadata.labels?.[label] !== undefined);
  const foreign = [
    ...clues.others.flatMap((each) => [
      textOf(fieldAt(each, 'status', 'installedCSV')),
      textOf(fieldAt(each, 'status', 'currentCSV')),
      textOf(fieldAt(each, 'spec', 'startingCSV')),
    ]),
    ...operators
      .filter(
        ({ metadata }) => metadata.labels?.[label] === undefined && isOfOtherPackage(metadata.labels, label),
      )
      .map(({ metadata }) => metadata.name ?? ''),
  ].filter((name) => name !== '');
  const names = new Set([
    ...subscribed,
    ...labelled.map(({ metadata }) => metadata.name ?? ''),
    // Of a dependency that has been upgraded since, the plan names the version before.
    ...planned.filter((name) => !foreign.some((other) => isSameOperator(other, name))),
  ]);
  names.delete('');
  return names;
}
