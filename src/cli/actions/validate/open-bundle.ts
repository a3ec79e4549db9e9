import { resolve } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CliContext } from '../../command.ts';
import type { RegistryFlags } from '../../flags/registry-flags.ts';
import {
  offlineValidators,
  optionalValidators,
  validatorInfo,
  type ValidatorName,
} from '../../../olm/bundle/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { LabelSelectorError, labelsMatch, parseLabelSelector } from '../../../base/util/label-selector.ts';
import { statsAt } from '../../../base/util/fs.ts';
import { invalidFlag } from '../input/flag-values.ts';
import type { OpenBundle } from './open-image.ts';

/**
 * Opens the bundle that an argument of `bundle validate` names: an existing folder, or an image. Any other argument is returned as a
 * folder, so that the validators report it.
 * @throws OpSdkError `oci/…`
 */
export async function openBundle(
  context: CliContext,
  text: string,
  flags: RegistryFlags,
): Promise<OpenBundle> {
  const folder = { dir: text, [Symbol.asyncDispose]: async () => undefined };
  const entry = await statsAt(resolve(context.cwd, text));
  if (entry?.isDirectory() === true) return folder;
  // The registry client is loaded only here, because folders are validated without it.
  const { openImage } = await import('./open-image.ts');
  return (await openImage(context, text, flags)) ?? folder;
}

const flag = '--select-optional';

/**
 * Returns the optional validators that a selector matches. The selector is `all` (all validators that read only the bundle), a list of
 * names separated by commas, or a label selector over `name` and `suite`.
 * @throws OpSdkError `cli/invalid-value`
 */
export function readSelection(selector: string | undefined): readonly ValidatorName[] {
  if (selector === undefined || selector.trim() === '') return [];
  const words = selector.split(',').map((word) => word.trim());
  if (words.every((word) => /^[\w-]+$/.test(word))) return words.flatMap(named);
  const selected = matching(selector);
  if (selected.length === 0) throw refuse(`${JSON.stringify(selector)} selects no validator`, selectors);
  return selected;
}

const selectors = `write all, suite=operatorframework, or names: ${optionalValidators.join(', ')}`;

function named(word: string): readonly ValidatorName[] {
  if (word === 'all') return offlineValidators;
  const name = optionalValidators.find((known) => known === word);
  if (name !== undefined) return [name];
  const meant = closestName(word, optionalValidators);
  throw refuse(
    `unknown validator ${JSON.stringify(word)}`,
    meant === undefined ? selectors : `did you mean ${meant}?`,
  );
}

function matching(selector: string): readonly ValidatorName[] {
  try {
    const requirements = parseLabelSelector(selector);
    return optionalValidators.filter((name) => labelsMatch(requirements, labelsOf(name)));
  } catch (error) {
    if (!(error instanceof LabelSelectorError)) throw error;
    throw refuse(`${JSON.stringify(selector)} is not a label selector: ${error.message}`, selectors);
  }
}

/** Returns the labels of a validator. Label selectors are matched against these labels. */
export function labelsOf(name: ValidatorName): Readonly<Record<string, string>> {
  const { suite } = validatorInfo(name);
  return { name, ...(suite === undefined ? {} : { suite }) };
}

function refuse(message: string, fix: string): OpSdkError {
  return new OpSdkError(invalidFlag(flag, `${flag}: ${message}`, fix));
}

/** Size of the heap in bytes above which garbage collection is forced. */
const bound = 80 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Limits the memory use of a command by collecting garbage between bundles, or between the steps for one large bundle. Otherwise the heap
 * would grow with each bundle, because V8 collects garbage late if the machine has much memory.
 */
export function boundMemory(): void {
  if (getHeapStatistics().total_heap_size < bound) return;
  collect ??= collector();
  collect();
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
