import { validateBundle, type BundleVerdict } from '../../bundle/index.ts';
import { formatWhere } from '../../errors/format.ts';
import type { Finding } from '../../errors/index.ts';
import type { Action, CommandOutcome } from '../command.ts';
import { alpha1 } from '../flags/words.ts';

/** `op-sdk bundle validate`. */
export const run: Action = async (context, options, [folder = 'bundle']) => {
  const verdict = await validateBundle(folder, { cwd: context.cwd });
  return options['output'] === alpha1 ? alpha1Outcome(verdict) : outcomeOf(verdict);
};

function outcomeOf({ errors, warnings, name, packageName, version }: BundleVerdict): CommandOutcome {
  const passed = errors.length === 0;
  const result = { passed, package: packageName ?? null, name: name ?? null, version: version ?? null };
  const text = 'All validation tests have completed successfully';
  return { result, errors, warnings, ...(passed ? { text } : {}) };
}

function alpha1Outcome({ errors, warnings }: BundleVerdict): CommandOutcome {
  const passed = errors.length === 0;
  // operator-sdk names warnings first, and writes null for an empty list.
  const outputs = [...warnings.map(outputOf('warning')), ...errors.map(outputOf('error'))];
  const result = { passed, outputs: outputs.length === 0 ? null : outputs };
  return { result, text: JSON.stringify(result, null, 4), exitCode: passed ? 0 : 1 };
}

const outputOf =
  (type: 'error' | 'warning') =>
  ({ message, where }: Finding): { readonly type: string; readonly message: string } => ({
    type,
    message: where === undefined ? message : `${formatWhere(where)}: ${message}`,
  });
