import { collectFindings } from '../../olm/bundle/validate/findings/collect-findings.ts';
import { joinResults, type JoinedFinding } from '../../olm/bundle/validate/findings/join-results.ts';
import {
  passes,
  validateBundle,
  type BundleVerdict,
  type ValidateOptions as ValidateBundleOptions,
} from '../../olm/bundle/validate/validate-bundle.ts';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import type { Action, CliContext, CommandOutcome } from '../command.ts';
import type { RegistryFlags } from '../flags/registry-flags.ts';
import { alpha1, sarif } from '../flags/words.ts';
import { alpha1Document, jsonDocument, type JudgedBundle } from './validate/documents.ts';
import { boundMemory } from './validate/bound-memory.ts';
import { listOptional } from './validate/list-optional.ts';
import { openBundle } from './validate/open-bundle.ts';
import { platformsOf } from './validate/platforms-of.ts';
import { readSelection } from './validate/read-selection.ts';
import { readValues } from './validate/read-values.ts';

interface ValidateOptions extends RegistryFlags {
  readonly output: string;
  readonly selectOptional?: string;
  readonly listOptional: boolean;
  readonly optionalValues: readonly string[];
  readonly strict: boolean;
}

/** `op-sdk bundle validate`. */
export const run: Action = async (context, parsed, folders) => {
  const options = parsed as unknown as ValidateOptions;
  if (options.listOptional) return listOptional();
  const optional = readSelection(options.selectOptional);
  const settings = {
    ...readValues(options.optionalValues),
    categoriesFile: context.env['OPERATOR_BUNDLE_CATEGORIES'] ?? '',
    platformsOf: platformsOf(context, options),
  };
  const dirs = folders.length === 0 ? ['bundle'] : folders;
  const judged: JudgedBundle[] = [];
  for (const dir of dirs) {
    const judging = judge(context, dir, { optional, settings, flags: options });
    const { results, dir: shown } = await (dirs.length > 1 ? judging.catch(unopened(dir)) : judging);
    if (dirs.length > 1) boundMemory();
    judged.push({ verdict: { dir: shown, results }, passed: passes({ results }, options.strict) });
  }
  if (options.output === sarif) {
    // The explanations of all codes are needed here only.
    const { sarifDocument } = await import('./validate/sarif.ts');
    return documentOutcome(sarifDocument(judged), exitCodeOf(judged));
  }
  return outcomeOf(judged, options);
};

/** Judges one bundle. In a function without `import()`: TypeScript 5.9 leaves the `.ts` of an `import()` beside a lowered `using`. */
async function judge(
  context: CliContext,
  dir: string,
  {
    optional,
    settings,
    flags,
  }: Required<Pick<ValidateBundleOptions, 'optional' | 'settings'>> & { readonly flags: RegistryFlags },
): Promise<BundleVerdict> {
  await using opened = await openBundle(context, dir, flags);
  return await validateBundle(opened.dir, {
    ...{ cwd: context.cwd, optional, settings },
    ...(opened.shown === undefined ? {} : { shown: opened.shown }),
  });
}

/** One of several that cannot be opened fails like a bundle whose files cannot be read; the others are judged all the same. */
function unopened(dir: string): (error: unknown) => JudgedBundle['verdict'] {
  return (error) => {
    if (!isOpSdkError(error)) throw error;
    const collector = collectFindings();
    collector.add('format', 'error', error.findings);
    return { dir, results: collector.finish() };
  };
}

function outcomeOf(judged: readonly JudgedBundle[], { output, strict }: ValidateOptions): CommandOutcome {
  const exitCode = exitCodeOf(judged);
  if (output === 'json') return { result: null, document: jsonDocument(judged), exitCode };
  if (output === alpha1) return documentOutcome(alpha1Document(judged, strict), exitCode);
  const findings = judged.flatMap(({ verdict }) => joinResults(verdict.results));
  const errors = findings.filter(({ level }) => level === 'error').map(named);
  const warnings = findings.filter(({ level }) => level === 'warning').map(named);
  return { result: null, errors, warnings, exitCode, ...textOf(judged, errors.length, strict) };
}

function exitCodeOf(judged: readonly JudgedBundle[]): 0 | 1 {
  return judged.every(({ passed }) => passed) ? 0 : 1;
}

function documentOutcome(document: unknown, exitCode: number): CommandOutcome {
  return { result: document, text: JSON.stringify(document, null, 4), exitCode };
}

/** The validators that say it are part of the message. */
function named({ message, validators, code, where, fix }: JoinedFinding): Finding {
  return {
    code,
    message: `${message} (${validators.join(', ')})`,
    ...(where === undefined ? {} : { where }),
    ...(fix === undefined ? {} : { fix }),
  };
}

function textOf(
  judged: readonly JudgedBundle[],
  errors: number,
  strict: boolean,
): { readonly text?: string } {
  const failed = judged.filter(({ passed }) => !passed);
  if (judged.length > 1)
    return { text: `${judged.length - failed.length} of ${judged.length} bundles passed` };
  if (failed.length > 0) return {};
  const text = 'All validation tests have completed successfully';
  if (errors === 0 || strict) return { text };
  return { text: `${text}; the errors above are those of opsdk, which count with --strict` };
}
