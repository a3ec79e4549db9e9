import type { BundleVerdict } from '../../../bundle/index.ts';
import { formatWhere } from '../../../errors/format.ts';
import type { Finding } from '../../../errors/index.ts';
import type { CommandModule, CommandOutcome } from '../../command.ts';

/** The format of operator-sdk, for scripts that were written for it. */
const alpha1 = 'json-alpha1';

/** `op-sdk bundle validate`. */
export const command: CommandModule = {
  formats: [alpha1],
  configure(command) {
    command.argument('[folder]', 'the folder of the bundle (default: bundle)');
    command.addHelpText(
      'after',
      `
Checks the folders, annotations and objects of a bundle, its ClusterServiceVersion and its
CustomResourceDefinitions, as the validators of operator-sdk, OLM and the API server do, and
reports all that is wrong. Reads files only; no cluster and no image is asked. The labels of
bundle.Dockerfile are compared where it lies in the folder or beside it. Warnings do not fail.

  -o json          the findings, each with its code, place and fix
  -o ${alpha1}   the answer of operator-sdk: {"passed": true, "outputs": [{"type", "message"}]}`,
    );
  },
  async run(context, options, [folder = 'bundle']) {
    const { validateBundle } = await import('../../../bundle/index.ts');
    const verdict = await validateBundle(folder, { cwd: context.cwd });
    return options['output'] === alpha1 ? alpha1Outcome(verdict) : outcomeOf(verdict);
  },
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
